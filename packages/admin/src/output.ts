/** The output of `portico-admin`: text or JSON. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { AdminDownload } from './client.ts'

/** How many lines are buffered to align a table's columns. */
const ALIGNED_LINES = 50

export interface Output {
  /** Prints a sentence, or the object as JSON. */
  readonly result: (value: object, sentence: string) => void
  /** Prints all fields of an object. */
  readonly object: (value: object) => void
  /** Prints a table with a line per item. */
  readonly list: <Item extends object>(
    items: AsyncIterable<Item> | Iterable<Item>,
    columns: Readonly<Record<string, (item: Item) => unknown>>,
  ) => Promise<void>
  /** Writes a download to a file or to standard output. */
  readonly download: (file: AdminDownload, path: string | undefined) => Promise<void>
}

export function openOutput(stdout: NodeJS.WritableStream, { json }: { json: boolean }): Output {
  const print = (text: string) => void stdout.write(`${text}\n`)
  return {
    result: (value, sentence) =>
      print(json ? JSON.stringify(value) : replaceControlCharacters(sentence)),
    object: (value) => print(json ? JSON.stringify(value) : linesOf(value).join('\n')),
    async list(items, columns) {
      const names = Object.keys(columns)
      let lines: string[][] = [names]
      const flush = () => {
        const widths = names.map((_, column) =>
          Math.max(...lines.map((line) => line[column]?.length ?? 0)),
        )
        for (const line of lines) {
          print(
            line
              .map((cell, column) => cell.padEnd(widths[column] ?? 0))
              .join('  ')
              .trimEnd(),
          )
        }
        lines = []
      }
      for await (const item of items) {
        if (json) print(JSON.stringify(item))
        else {
          lines.push(Object.values(columns).map((cell) => textOf(cell(item))))
          if (lines.length >= ALIGNED_LINES) flush()
        }
      }
      if (!json) flush()
    },
    async download({ content }, path) {
      if (path === undefined) {
        await pipeline(content, stdout, { end: false })
        return
      }
      // A partial export must not look complete.
      const part = `${path}.part`
      try {
        await pipeline(content, createWriteStream(part))
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
  }
}

/** Replaces terminal control characters. */
export const replaceControlCharacters = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '�')

/** JSON with terminal control characters escaped instead of replaced, so that nothing is lost. */
export const plainJson = (value: object): string =>
  JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}]/gu, (text) =>
    Array.from({ length: text.length }, (_, index) => {
      const unit = text.charCodeAt(index).toString(16)
      return `\\u${unit.padStart(4, '0')}`
    }).join(''),
  )

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return replaceControlCharacters(typeof value === 'string' ? value : JSON.stringify(value))
}

/** A human-readable time. */
export const timeText = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()

function linesOf(value: object, indentation = ''): string[] {
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    const label = `${indentation}${Array.isArray(value) ? '-' : `${name}:`}`
    if (typeof each === 'object' && each !== null) {
      const inner = linesOf(each, `${indentation}  `)
      return inner.length === 0 ? [`${label} none`] : [label, ...inner]
    }
    const isTime = typeof each === 'number' && /(?:At|Until)$|^at$/.test(name)
    return [`${label} ${isTime ? timeText(each) : textOf(each)}`]
  })
}
