import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../../tests/support/server-process.ts'
import { buildIfNeeded } from '../setup/build.mjs'
import { ROOT } from '../setup/processes.mjs'
import { buildRelease, type Release } from './build.ts'
import { COMMANDS } from './bundle.ts'

let folder: string
let release: Release

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'portico-release-'))
  await buildIfNeeded(process.execPath)
  release = await buildRelease(path.join(folder, 'first'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Runs a command of the unpacked release, with only these settings. */
function command(
  at: string,
  name: string,
  args: readonly string[],
  settings: Record<string, string>,
) {
  const file = path.join(at, 'bin', `${name}.js`)
  return execFileSync(process.execPath, [file, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...settings },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('two builds of the same sources, applications included, are equal bit for bit', async () => {
  await buildIfNeeded(process.execPath, { force: true })
  const second = await buildRelease(path.join(folder, 'second'))
  expect(digest(second.archive)).toBe(digest(release.archive))
})

test('a release contains no path of the machine, no source and no development dependency', () => {
  const files = readdirSync(release.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  expect(files.filter((file) => readFileSync(file).includes(ROOT))).toEqual([])
  expect(files.filter((file) => /\.tsx?$|\.test\.|\.map$/.test(file))).toEqual([])
  const packages = readdirSync(path.join(release.folder, 'node_modules'))
  expect(packages).toEqual(['@node-rs'])
})

test('a release contains no example organization, and says how to add one', () => {
  expect(readdirSync(path.join(release.folder, 'config')).toSorted()).toEqual([
    'banners',
    'experiments',
    'labels',
    'logos',
  ])
  expect(readdirSync(path.join(release.folder, 'config/logos')).toSorted()).toEqual([
    'apollo.svg',
    'hamilton.svg',
    'novawulf.svg',
    'outpost.svg',
  ])
  const program = path.join(release.folder, 'bin/server.js')
  const { status, stderr } = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'without-organizations') },
  })
  expect(status).toBe(1)
  expect(stderr).toContain(
    'no file has the orgCode FIGURE, which others extend; set DEFAULT_ORGANIZATION to the code of yours',
  )
})

test('an older Node gets a message', () => {
  const older = 'Object.defineProperty(process, "versions", { value: { node: "22.1.0" } })'
  const flags = ['--import', `data:text/javascript,${older}`]
  const program = path.join(release.folder, 'bin/server.js')
  const { status, stderr } = spawnSync(process.execPath, [...flags, program], { encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toBe('Portico needs Node 24 or newer; this is Node 22.1.0.\n')
})

test('an unpacked archive serves, is backed up and restored, and has every command', async () => {
  const unpacked = path.join(folder, 'unpacked')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xzf', release.archive, '-C', unpacked])
  const at = path.join(unpacked, path.basename(release.folder))
  expect(readdirSync(path.join(at, 'bin')).toSorted()).toEqual(
    [...COMMANDS, 'server'].map((name) => `${name}.js`).toSorted(),
  )
  const [data, restored, backup] = ['data', 'restored', 'backup'].map((name) =>
    path.join(folder, name),
  )
  if (data === undefined || restored === undefined || backup === undefined)
    throw new Error('No folders')
  {
    await using server = await startServer({
      dataDir: data,
      program: path.join(at, 'bin/server.js'),
      environment: { CONFIG_DIR: path.join(ROOT, 'config') },
    })
    for (const page of ['/auth/login', '/mobile-wallet', '/readyz', '/docs']) {
      expect((await fetch(`${server.url}${page}`)).status).toBe(200)
    }
    command(at, 'backup', [backup], { DATA_DIR: data })
  }
  const key = readFileSync(path.join(data, 'master.key'), 'utf8').trim()
  const settings = { DATA_DIR: restored, MASTER_KEY: key, CONFIG_DIR: path.join(ROOT, 'config') }
  expect(command(at, 'restore', [backup], settings)).toContain('Restored.')
  expect(command(at, 'migrate', [], settings)).toContain('Nothing to migrate.')
  expect(command(at, 'operator', ['list'], settings)).toContain('reviewer')
})
