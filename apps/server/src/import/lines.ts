/** Reads a file of any size line by line with bounded memory. */
import { createReadStream } from 'node:fs'

const MAX_LINE_BYTES = 16 * 1024
const NEW_LINE = 0x0a

export interface Line {
  readonly number: number
  /** Undefined if it is too long or not UTF-8. */
  readonly text: string | undefined
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let bytes = 0
  const add = (part: Buffer) => {
    bytes += part.length
    // The rest of an overlong line is discarded.
    if (bytes <= MAX_LINE_BYTES) parts.push(part)
  }
  const finish = (): Line => {
    number += 1
    const text = bytes > MAX_LINE_BYTES ? undefined : decode(Buffer.concat(parts))
    parts = []
    bytes = 0
    return { number, text }
  }
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(NEW_LINE, from)
      if (end === -1) break
      add(chunk.subarray(from, end))
      yield finish()
      from = end + 1
    }
    add(Buffer.from(chunk.subarray(from)))
  }
  if (bytes > 0) yield finish()
}

/** The decoder drops a byte order mark. */
function decode(bytes: Buffer): string | undefined {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}
