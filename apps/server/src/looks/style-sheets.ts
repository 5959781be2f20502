import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { decodeText, listPaths, printablePath, readBytes } from '../data-files/data-files.ts'

const URL_PREFIX = '/brand/styles/'
const YEAR_S = 365 * 24 * 60 * 60
/** The maximum size of a sheet, more than a few rules need. */
const SHEET_BYTES_MAXIMUM = 32 * 1024

/** An organization's own style sheet. */
export interface StyleSheet {
  /** Contains a hash of the content, so that browsers may cache it forever. */
  readonly href: string
  readonly css: string
}

/**
 * Reads every sheet of the folder `styles` by name and adds their errors to `errors`. Loads the parser only if there is
 * one.
 */
export async function readStyleSheets(
  configDir: string,
  errors: string[],
): Promise<ReadonlyMap<string, StyleSheet>> {
  const paths = listPaths({ configDir, folder: 'styles', pattern: /\.css$/ }, errors)
  if (paths.length === 0) return new Map()
  const { readStyleSheet } = await import('./style-sheet.ts')
  const sheets = new Map<string, StyleSheet>()
  for (const path of paths) {
    const bytes = readBytes(path, SHEET_BYTES_MAXIMUM, errors)
    const text = bytes && decodeText(path, bytes, errors)
    if (text === undefined) continue
    const read = readStyleSheet(text, printablePath(path))
    if ('errors' in read) {
      errors.push(...read.errors)
      continue
    }
    const { css } = read
    const name = basename(path)
    const hash = createHash('sha256').update(css).digest('base64url').slice(0, 10)
    sheets.set(name, { href: `${URL_PREFIX}${name.replace(/\.css$/, `.${hash}.css`)}`, css })
  }
  return sheets
}

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
