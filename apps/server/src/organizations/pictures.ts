/** The pictures of brands: read and checked when the server starts, served from memory. */
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
import { pngColors } from '../png-colors/png-colors.ts'
import { svgErrors } from './svg-errors.ts'

const PICTURE_BYTES_MAXIMUM = 128 * 1024

/** Pictures by URL path. */
export type Pictures = ReadonlyMap<string, StaticFile>

/** An SVG opened directly is a document. Under this policy it loads nothing, runs nothing and has an opaque origin. */
const PICTURE_POLICY = contentSecurityPolicy({ sandbox: '' })

/** Reads every picture of the folder logos and adds their errors to `errors`. */
export function readPictures(configDir: string, errors: string[]): Pictures {
  const pictures = new Map<string, StaticFile>()
  for (const path of listPaths({ configDir, folder: 'logos', pattern: /\.(?:svg|png)$/ }, errors)) {
    const bytes = readBytes(path, PICTURE_BYTES_MAXIMUM, errors)
    if (bytes === undefined) continue
    const found = path.endsWith('.svg') ? svgFileErrors(path, bytes) : pngErrors(bytes)
    errors.push(...found.map((error) => `${printablePath(path)} ${printable(error)}`))
    const file = basename(path)
    pictures.set(`/brand/${file}`, staticFile(file, bytes))
  }
  return pictures

  function svgFileErrors(path: string, bytes: Buffer): readonly string[] {
    const svg = decodeText(path, bytes, errors)
    return svg === undefined ? [] : svgErrors(svg)
  }
}

function pngErrors(bytes: Buffer): readonly string[] {
  const read = pngColors(bytes)
  return 'error' in read ? [read.error] : []
}

export function servePictures(app: FastifyInstance, pictures: Pictures): void {
  app.get('/brand/:name', (request, reply) => {
    const [address = ''] = request.url.split('?')
    const picture = pictures.get(address)
    if (picture === undefined) return reply.callNotFound()
    void reply.header('content-security-policy', PICTURE_POLICY)
    return sendFile(picture, 'public, max-age=300', request, reply)
  })
}
