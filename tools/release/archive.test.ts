import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tarGz } from './archive.ts'

const LONG = `portico/${'folder/'.repeat(20)}${'n'.repeat(90)}.js`
const ENTRIES = [
  { name: 'portico/empty', bytes: Buffer.alloc(0) },
  { name: LONG, bytes: Buffer.from('long name') },
  { name: 'portico/block', bytes: Buffer.alloc(512, 'a') },
  { name: 'portico/more', bytes: Buffer.alloc(700, 'b') },
]

test('tar unpacks an archive, with long names, and the order of the entries does not change it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-archive-'))
  try {
    const archive = tarGz(ENTRIES)
    expect(tarGz(ENTRIES.toReversed())).toEqual(archive)
    writeFileSync(join(folder, 'a.tar.gz'), archive)
    execFileSync('tar', ['-xzf', 'a.tar.gz'], { cwd: folder })
    for (const { name, bytes } of ENTRIES) {
      expect(readFileSync(join(folder, name))).toEqual(bytes)
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o644)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a name that the format cannot hold is an error', () => {
  expect(() => tarGz([{ name: 'n'.repeat(101), bytes: Buffer.alloc(0) }])).toThrow('too long')
})
