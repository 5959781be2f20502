/** The files of brands that browsers load: pictures and style sheets. Read and checked once, served from memory. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  decodeText,
  listPaths,
  printable,
  printablePath,
  readBytes,
} from '../data-files/data-files.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import { type StaticFile, sendFile, staticFile } from '../http/static-file.ts'
import { pngColors } from './png-colors.ts'
import { readSvg } from './svg.ts'

const PICTURE_BYTES_MAXIMUM = 128 * 1024
/** More than a few rules need. */
const STYLE_SHEET_BYTES_MAXIMUM = 32 * 1024
const YEAR_S = 365 * 24 * 60 * 60

interface Picture {
  readonly file: StaticFile
  /** Its main colors as `#rrggbb`; undefined if they cannot be determined. */
  readonly colors: readonly string[] | undefined
}

/** Pictures by URL path. */
export type Pictures = ReadonlyMap<string, Picture>

/** An organization's own style sheet. */
export interface StyleSheet {
  /** Contains a hash of the content, so that browsers may cache it forever. */
  readonly href: string
  readonly css: string
}

/** An SVG opened directly is a document. Under this policy it loads nothing, runs nothing and has an opaque origin. */
const PICTURE_POLICY = contentSecurityPolicy({ sandbox: '' })

/** Reads every picture of the folder `logos` and adds their errors to `errors`. */
export function readPictures(configDir: string, errors: string[]): Pictures {
  const pictures = new Map<string, Picture>()
  for (const path of listPaths({ configDir, folder: 'logos', pattern: /\.(?:svg|png)$/ }, errors)) {
    const bytes = readBytes(path, PICTURE_BYTES_MAXIMUM, errors)
    if (bytes === undefined) continue
    const name = basename(path)
    const { colors, errors: pictureErrors } = path.endsWith('.svg')
      ? svgOf(path, bytes)
      : pngOf(bytes)
    errors.push(...pictureErrors.map((error) => `${printablePath(path)} ${printable(error)}`))
    pictures.set(`/brand/${name}`, { file: staticFile(name, bytes), colors })
  }
  return pictures

  function svgOf(path: string, bytes: Buffer) {
    const text = decodeText(path, bytes, errors)
    return text === undefined ? { colors: undefined, errors: [] } : readSvg(text)
  }
}

function pngOf(bytes: Buffer) {
  const read = pngColors(bytes)
  return 'error' in read ? { colors: undefined, errors: [read.error] } : { ...read, errors: [] }
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
  const { parseStyleSheet } = await import('./style-sheet.ts')
  const sheets = new Map<string, StyleSheet>()
  for (const path of paths) {
    const bytes = readBytes(path, STYLE_SHEET_BYTES_MAXIMUM, errors)
    const text = bytes && decodeText(path, bytes, errors)
    if (text === undefined) continue
    const parsed = parseStyleSheet(text, printablePath(path))
    if ('errors' in parsed) {
      errors.push(...parsed.errors)
      continue
    }
    const { css } = parsed
    const name = basename(path)
    const hash = createHash('sha256').update(css).digest('base64url').slice(0, 10)
    sheets.set(name, { href: `/brand/styles/${name.replace(/\.css$/, `.${hash}.css`)}`, css })
  }
  return sheets
}

export function serveBrandFiles(
  app: FastifyInstance,
  {
    pictures,
    styleSheets,
  }: { readonly pictures: Pictures; readonly styleSheets: readonly StyleSheet[] },
): void {
  app.get('/brand/:name', (request, reply) => {
    const [path = ''] = request.url.split('?')
    const picture = pictures.get(path)
    if (picture === undefined) return reply.callNotFound()
    void reply.header('content-security-policy', PICTURE_POLICY)
    return sendFile(picture.file, 'public, max-age=300', request, reply)
  })
  for (const { href, css } of styleSheets) {
    app.get(href, (_request, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
        .send(css),
    )
  }
}
