import { gzipSync } from 'node:zlib'

/** A file in an archive; its name uses forward slashes. */
export interface ArchiveEntry {
  readonly name: string
  readonly bytes: Uint8Array
}

const BLOCK = 512

/**
 * A gzipped tar archive (POSIX ustar) of the entries, ordered by name. Times and owners are fixed, so that archives are
 * reproducible.
 */
export function tarGz(entries: readonly ArchiveEntry[]): Buffer {
  const blocks = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name, bytes }) => [header(name, bytes.length), bytes, padding(bytes.length)])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK)
  const { prefix, rest } = splitName(name)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  block.write(rest, 0)
  block.write(octal(0o644, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), 124)
  block.write(octal(0, 11), 136)
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  block.write(prefix, 345)
  const checksum = block.reduce((sum, byte) => sum + byte, 0)
  block.write(`${octal(checksum, 6)} `, 148)
  return block
}

/** A long name is split at a slash: at most 155 bytes before it, and 100 after. */
function splitName(name: string): { readonly prefix: string; readonly rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', rest: name }
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(rest) <= 100 && Buffer.byteLength(prefix) <= 155) return { prefix, rest }
  }
  throw new Error(`${name} is too long for an archive`)
}

const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
