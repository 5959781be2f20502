/** Files of each accepted type, and hostile ones. */
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** An object of a PDF: its text, or a stream with its dictionary. */
export type PdfObject = string | { readonly dictionary: string; readonly content: Uint8Array }

/** A complete PDF with these objects, numbered from 1. */
export function aPdf(
  objects: readonly PdfObject[] = [],
  { trailer = '' }: { trailer?: string } = {},
): Buffer {
  const all: readonly PdfObject[] = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]>>',
    ...objects,
  ]
  let body = latin1('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  const offsets = all.map((object, index) => {
    const offset = body.length
    const content =
      typeof object === 'string'
        ? latin1(object)
        : Buffer.concat([
            latin1(`<<${object.dictionary} /Length ${object.content.length}>>\nstream\n`),
            object.content,
            latin1('\nendstream'),
          ])
    body = Buffer.concat([body, latin1(`${index + 1} 0 obj\n`), content, latin1('\nendobj\n')])
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const end = `${table}trailer\n<</Size ${all.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.concat([body, latin1(end)])
}

/** A Flate stream. */
export const flateStream = (content: string | Uint8Array, dictionary = '') => ({
  dictionary: `${dictionary} /Filter /FlateDecode`,
  content: deflateSync(content),
})

/** Data for `ASCIIHexDecode`. */
export const asciiHex = (bytes: Uint8Array): Buffer =>
  latin1(`${Buffer.from(bytes).toString('hex')}>`)

/** Data for `ASCII85Decode`. */
export function ascii85(bytes: Uint8Array): Buffer {
  let encoded = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const group = bytes.subarray(at, at + 4)
    let value = [0, 1, 2, 3].reduce((sum, index) => sum * 256 + (group[index] ?? 0), 0)
    let digits = ''
    for (let digit = 0; digit < 5; digit += 1) {
      digits = String.fromCharCode((value % 85) + 33) + digits
      value = Math.floor(value / 85)
    }
    encoded +=
      value === 0 && digits === '!!!!!' && group.length === 4
        ? 'z'
        : digits.slice(0, group.length + 1)
  }
  return latin1(`${encoded}~>`)
}

/** Data for `RunLengthDecode`, in literal runs and one repetition. */
export function runLength(bytes: Uint8Array): Buffer {
  const runs = []
  for (let at = 0; at < bytes.length; at += 128) {
    const run = bytes.subarray(at, at + 128)
    runs.push(Buffer.from([run.length - 1]), run)
  }
  return Buffer.concat([...runs, Buffer.from([255, 0x20, 128])])
}

/** Data for `LZWDecode`. */
export function lzw(bytes: Uint8Array): Buffer {
  const codes: { readonly code: number; readonly width: number }[] = [{ code: 256, width: 9 }]
  const table = new Map<string, number>()
  let next = 258
  let width = 9
  let run = ''
  const codeOf = (text: string) => (text.length === 1 ? text.charCodeAt(0) : table.get(text))
  for (const character of Buffer.from(bytes).toString('latin1')) {
    if (codeOf(run + character) !== undefined) {
      run += character
      continue
    }
    codes.push({ code: codeOf(run) ?? 0, width })
    table.set(run + character, next)
    next += 1
    // The width changes one code early, counted by the table of the decoder, which has an entry less.
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
    run = character
  }
  if (run !== '') {
    codes.push({ code: codeOf(run) ?? 0, width })
    next += 1
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
  codes.push({ code: 257, width })
  const bits = codes.map(({ code, width: size }) => code.toString(2).padStart(size, '0')).join('')
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0')
  return Buffer.from(padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

/** Rows of 7 bytes with PNG's filter `Up`. */
export function pngRows(bytes: Uint8Array): Buffer {
  const size = 7
  const rows = []
  for (let at = 0; at < bytes.length; at += size) {
    const row = Buffer.alloc(size + 1)
    row[0] = 2
    for (let column = 0; column < size; column += 1) {
      const up = at === 0 ? 0 : (bytes[at + column - size] ?? 0)
      row[column + 1] = (bytes[at + column] ?? 0) - up
    }
    rows.push(row)
  }
  return Buffer.concat(rows)
}

/** Rows of 9 bytes with the differences of TIFF's predictor. */
export function tiffRows(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.map((byte, at) => (at % 9 === 0 ? byte : byte - (bytes[at - 1] ?? 0))))
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([latin1(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** A PNG whose header declares this size, with the pixel data of 1 × 1. */
export function aPng({ width = 1, height = 1, text = '' } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', header),
    ...(text === '' ? [] : [pngChunk('tEXt', latin1(`Comment\0${text}`))]),
    pngChunk('IDAT', deflateSync(Buffer.alloc(4))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** The structure of a JPEG of this size; its pixels are never decoded. */
export function aJpeg({ width = 16, height = 16 } = {}): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const scan = Buffer.from([
    0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56,
  ])
  return Buffer.concat([
    latin1('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0'),
    frame,
    scan,
    latin1('\xff\xd9'),
  ])
}

/** A ZIP archive with one entry. */
export function aZip({
  name = 'page.html',
  content = '<script>alert(1)</script>',
  comment = '',
} = {}): Buffer {
  const packed = deflateRawSync(content)
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(8, 4)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([latin1('PK\x03\x04'), facts, latin1(name), packed])
  const central = Buffer.concat([latin1('PK\x01\x02\x14\0'), facts, Buffer.alloc(14), latin1(name)])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  end.writeUInt16LE(comment.length, 16)
  return Buffer.concat([local, central, latin1('PK\x05\x06'), end, latin1(comment)])
}
