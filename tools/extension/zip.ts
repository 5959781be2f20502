import { crc32, deflateRawSync } from 'node:zlib'

/** A file in an archive; its name uses forward slashes. */
export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const VERSION = 20
const UTF8_NAMES = 0x0800
const DEFLATE = 8
// 1 January 1980, the first date of the format: equal files give equal archives, whenever they are built.
const DATE = (1 << 5) | 1

/** A ZIP archive (PKWARE APPNOTE 6.3) of the entries, ordered by name. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const encodedName = Buffer.from(name)
    const content = deflateRawSync(bytes, { level: 9 })
    const fields = Buffer.concat([
      words(VERSION, UTF8_NAMES, DEFLATE, 0, DATE),
      doubleWords(crc32(bytes), content.length, bytes.length),
      words(encodedName.length, 0),
    ])
    const file = Buffer.concat([doubleWords(LOCAL_HEADER), fields, encodedName, content])
    files.push(file)
    directory.push(
      Buffer.concat([
        doubleWords(CENTRAL_HEADER),
        words(VERSION),
        fields,
        // Comment, disk, internal attributes; external attributes.
        words(0, 0, 0),
        doubleWords(0, offset),
        encodedName,
      ]),
    )
    offset += file.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([
    ...files,
    central,
    doubleWords(END_OF_DIRECTORY),
    words(0, 0, entries.length, entries.length),
    doubleWords(central.length, offset),
    words(0),
  ])
}

function words(...values: readonly number[]): Buffer {
  return Buffer.from(Uint16Array.from(values).buffer)
}

function doubleWords(...values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer)
}
