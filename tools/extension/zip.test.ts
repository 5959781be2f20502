import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { zip } from './zip.ts'

const ENTRIES = [
  { name: 'worker.js', bytes: Buffer.from('x'.repeat(5000)) },
  { name: 'icons/ä.png', bytes: Buffer.from([0, 255, 1]) },
  { name: 'empty', bytes: Buffer.alloc(0) },
]

test('an independent reader finds every file of an archive, in the order of the names', () => {
  using folder = temporaryFolder()
  const file = `${folder.path}/a.zip`
  writeFileSync(file, zip(ENTRIES))
  const script =
    'import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps([[n, z.read(n).hex()] for n in z.namelist()]))'
  const read = JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }))
  expect(read).toEqual(ENTRIES.map(({ name, bytes }) => [name, bytes.toString('hex')]).toSorted())
})

test('equal files give equal archives', () => {
  expect(zip(ENTRIES)).toEqual(zip(ENTRIES.toReversed()))
})

test('the content of a file is deflated', () => {
  const archive = zip([{ name: 'a', bytes: Buffer.from('b'.repeat(1000)) }])
  expect(archive.length).toBeLessThan(200)
  expect(inflateRawSync(archive.subarray(31)).toString()).toBe('b'.repeat(1000))
})
