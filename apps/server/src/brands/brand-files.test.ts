import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStyleSheets } from './brand-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-styles-'))
  mkdirSync(join(folder, 'styles'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, 'styles', name)

test('9 a sheet that is not a regular file, too large or not UTF-8 is reported without blocking', async () => {
  writeFileSync(at('bytes.css'), Buffer.from('h1{font-family:"Caf\xe9"}', 'latin1'))
  mkdirSync(at('folder.css'))
  symlinkSync('/dev/zero', at('endless.css'))
  symlinkSync('nothing', at('gone.css'))
  writeFileSync(at('large.css'), 'h1{color:var(--text)}'.repeat(2000))
  execFileSync('mkfifo', [at('pipe.css')])
  writeFileSync(at('right.css'), 'h1{color:var(--text)}')
  const errors: string[] = []
  const sheets = await readStyleSheets(folder, errors)
  expect([...sheets.keys()]).toEqual(['right.css'])
  expect(errors).toEqual([
    `${at('bytes.css')} is not valid UTF-8; save it as UTF-8`,
    `${at('endless.css')} cannot be read: it is not a regular file`,
    `${at('folder.css')} cannot be read: it is not a regular file`,
    expect.stringMatching(/gone\.css cannot be read: ENOENT/),
    `${at('large.css')} has 42000 bytes; the maximum is 32768`,
    `${at('pipe.css')} cannot be read: it is not a regular file`,
  ])
})

test('9 a file in place of the folder is reported', async () => {
  rmSync(join(folder, 'styles'), { recursive: true })
  writeFileSync(join(folder, 'styles'), '')
  const errors: string[] = []
  await readStyleSheets(folder, errors)
  expect(errors).toEqual([expect.stringMatching(/styles cannot be read: ENOTDIR/)])
})
