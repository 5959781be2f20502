import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { zip } from './zip.ts'

const ENTRIES = [
  { name: 'empty', bytes: Buffer.alloc(0) },
  { name: 'icons/ä.png', bytes: Buffer.from([0, 255, 1]) },
  { name: 'worker.js', bytes: Buffer.from('x'.repeat(5000)) },
]

/** Reads an archive as the format requires: from the end record through the central directory to each file. */
function filesIn(archive: Buffer) {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  let at = archive.readUInt32LE(end + 16)
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.readUInt32LE(local)).toBe(0x04034b50)
    // Both headers have the same version, flags, method, time, checksum, sizes and name.
    expect(archive.subarray(local + 4, local + 28)).toEqual(archive.subarray(at + 6, at + 30))
    const start = local + 30 + nameLength
    const bytes = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(at + 20)))
    expect(archive.readUInt32LE(at + 16)).toBe(crc32(bytes))
    expect(archive.readUInt32LE(at + 24)).toBe(bytes.length)
    at += 46 + nameLength
    return { name, bytes }
  })
}

test('an archive has all files with their checksums, ordered by name', () => {
  expect(filesIn(zip(ENTRIES.toReversed()))).toEqual(ENTRIES)
})

test('equal files give equal archives', () => {
  expect(zip(ENTRIES)).toEqual(zip(ENTRIES.toReversed()))
})

test('files are compressed', () => {
  expect(zip([{ name: 'a', bytes: Buffer.from('b'.repeat(1000)) }]).length).toBeLessThan(200)
})
