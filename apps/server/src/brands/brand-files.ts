/** The brand files that browsers load: images and style sheets. Read and checked once, served from memory. */
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

const MAX_PICTURE_BYTES = 128 * 1024
/** Far more than a few rules need. */
const MAX_STYLE_SHEET_BYTES = 32 * 1024
const YEAR_S = 365 * 24 * 60 * 60

export interface Picture {
  readonly file: StaticFile
  /** Its main colors as `#rrggbb`; undefined if they cannot be determined. */
  readonly colors: readonly string[] | undefined
}

/** Pictures by URL path. */
export type Pictures = Pick<ReadonlyMap<string, Picture>, 'get' | 'has'>

/** An organization's own style sheet. */
export interface StyleSheet {
  /** Contains a hash of the content, so that browsers may cache it forever. */
  readonly href: string
  readonly css: string
  /** As written. */
  readonly text: string
}

const SHEETS_PATH = '/brand/styles/'

/** An SVG opened directly is a document. Under this policy it loads nothing, runs nothing and has an opaque origin. */
const PICTURE_HEADERS = {
  'content-security-policy': contentSecurityPolicy({ sandbox: '' }),
  // Previews show images in a sandboxed frame, which has another origin.
  'cross-origin-resource-policy': 'cross-origin',
}

/** Reads every picture of the folder `logos` and adds their errors to `errors`. */
export function readPictures(configDir: string, errors: string[]): ReadonlyMap<string, Picture> {
  const pictures = new Map<string, Picture>()
  for (const path of listPaths({ configDir, folder: 'logos', pattern: /\.(?:svg|png)$/ }, errors)) {
    const bytes = readBytes(path, MAX_PICTURE_BYTES, errors)
    if (bytes === undefined) continue
    const name = basename(path)
    const { picture, errors: pictureErrors } = readPicture(name, bytes)
    errors.push(...pictureErrors.map((error) => `${printablePath(path)} ${error}`))
    pictures.set(`/brand/${name}`, picture)
  }
  return pictures
}

/** Checks a picture. The errors follow its name. */
export function readPicture(
  name: string,
  bytes: Buffer,
): { readonly picture: Picture; readonly errors: readonly string[] } {
  const { colors, errors } = name.endsWith('.svg') ? svgOf(bytes) : pngOf(bytes)
  return {
    picture: { file: staticFile(name, bytes), colors },
    errors: errors.map((each) => printable(each)),
  }
}

function svgOf(bytes: Buffer) {
  const errors: string[] = []
  const text = decodeText('', bytes, errors)
  return text === undefined
    ? { colors: undefined, errors: errors.map((error) => error.trim()) }
    : readSvg(text)
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
  const sheets = new Map<string, StyleSheet>()
  for (const path of paths) {
    const bytes = readBytes(path, MAX_STYLE_SHEET_BYTES, errors)
    const text = bytes && decodeText(path, bytes, errors)
    if (text === undefined) continue
    const sheet = await readStyleSheet(basename(path), text, printablePath(path))
    if ('errors' in sheet) errors.push(...sheet.errors)
    else sheets.set(basename(path), sheet)
  }
  return sheets
}

/** @param file - the path that errors name */
export async function readStyleSheet(
  name: string,
  text: string,
  file: string,
): Promise<StyleSheet | { readonly errors: readonly string[] }> {
  // Loaded with the first sheet, because most installations have none.
  const { parseStyleSheet } = await import('./style-sheet.ts')
  const parsed = parseStyleSheet(text, file)
  if ('errors' in parsed) return parsed
  const { css } = parsed
  const hash = createHash('sha256').update(css).digest('base64url').slice(0, 10)
  return { href: `${SHEETS_PATH}${name.replace(/\.css$/, `.${hash}.css`)}`, css, text }
}

/** Finds an image or style sheet that the current brands do not include. */
export interface UnlistedFiles {
  readonly picture: (path: string) => Promise<Picture | undefined>
  readonly styleSheet: (href: string) => Promise<string | undefined>
}

/**
 * Serves pictures and style sheets.
 *
 * @param unlisted - finds files of drafts and of other nodes' brands
 */
export function serveBrandFiles(
  app: FastifyInstance,
  brands: { readonly pictures: Pictures; readonly styleSheets: ReadonlyMap<string, StyleSheet> },
  unlisted: UnlistedFiles,
): void {
  app.get('/brand/:name', async (request, reply) => {
    const [path = ''] = request.url.split('?')
    const picture = brands.pictures.get(path) ?? (await unlisted.picture(path))
    if (picture === undefined) return reply.callNotFound()
    void reply.headers(PICTURE_HEADERS)
    return sendFile(picture.file, 'public, max-age=300', request, reply)
  })
  app.get(`${SHEETS_PATH}:name`, async (request, reply) => {
    const [href = ''] = request.url.split('?')
    const css = sheetAt(brands.styleSheets, href) ?? (await unlisted.styleSheet(href))
    if (css === undefined) return reply.callNotFound()
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
      .send(css)
  })
}

export function sheetAt(
  styleSheets: ReadonlyMap<string, StyleSheet>,
  href: string,
): string | undefined {
  return [...styleSheets.values()].find((sheet) => sheet.href === href)?.css
}
