import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RUNTIMES, runtimeFor, runtimeNode } from './runtime.mjs'

const LOCKFILE = new URL('../runtime/package-lock.json', import.meta.url)

test('a new enough Node runs the product without a download', async () => {
  expect(await runtimeNode()).toBe(process.execPath)
})

test('the downloaded Node is pinned with its hash for every available platform', () => {
  const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8'))
  for (const [machine, binary] of Object.entries(RUNTIMES)) {
    const [name, ...inside] = binary.split('/')
    const { os, cpu, version, integrity, bin } = packages[`node_modules/${name}`]
    expect(`${os}-${cpu}`).toBe(machine)
    expect(bin.node).toBe(inside.join('/'))
    expect(Number(version.split('.')[0])).toBeGreaterThanOrEqual(24)
    expect(integrity).toMatch(/^sha512-/)
  }
})

test.each(['linux-x64 with musl', 'freebsd-x64'])(
  'without a Node to download, a sentence says what to install: %s',
  (machine) => {
    expect(() => runtimeFor(machine, '20.20.2')).toThrow(
      `This is Node 20.20.2, and none can be fetched for ${machine}.\nInstall Node 24 or newer`,
    )
  },
)
