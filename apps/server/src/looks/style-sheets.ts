import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bytesOf, pathsIn, shownPath, textOf } from '../data-files/data-files.ts'

/** Where browsers find the sheets. */
const PREFIX = '/brand/styles/'
const YEAR_S = 365 * 24 * 60 * 60
/** The largest sheet that is taken: more than a few rules need. */
const SHEET_BYTES_MAXIMUM = 32 * 1024

/** An organization's own sheet as it is served. */
export interface StyleSheet {
  /** Carries a hash of what it says, so browsers keep it for good. */
  readonly href: string
  readonly css: string
}

/**
 * Reads every sheet of the folder `styles` by its name; what is wrong with one is added to the faults. Whoever has none does
 * not hold the parser in memory.
 */
export async function readStyleSheets(
  configDir: string,
  faults: string[],
): Promise<ReadonlyMap<string, StyleSheet>> {
  const paths = pathsIn({ configDir, folder: 'styles', pattern: /\.css$/ }, faults)
  if (paths.length === 0) return new Map()
  const { readStyleSheet } = await import('./style-sheet.ts')
  const sheets = new Map<string, StyleSheet>()
  for (const path of paths) {
    const bytes = bytesOf(path, SHEET_BYTES_MAXIMUM, faults)
    const text = bytes && textOf(path, bytes, faults)
    if (text === undefined) continue
    const read = readStyleSheet(text, shownPath(path))
    if ('faults' in read) {
      faults.push(...read.faults)
      continue
    }
    const { css } = read
    const name = basename(path)
    const hash = createHash('sha256').update(css).digest('base64url').slice(0, 10)
    sheets.set(name, { href: `${PREFIX}${name.replace(/\.css$/, `.${hash}.css`)}`, css })
  }
  return sheets
}

/** Serves the sheets. */
export function serveStyleSheets(app: FastifyInstance, sheets: readonly StyleSheet[]): void {
  for (const { href, css } of sheets) {
    app.get(href, (_request, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
        .send(css),
    )
  }
}
