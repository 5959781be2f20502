/** The pictures of brands: read and looked through when the server starts, served from memory. */
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bytesOf, pathsIn, shown, shownPath, textOf } from '../data-files/data-files.ts'
import { closedPolicy } from '../http/security-headers.ts'
import { type StaticFile, sendFile, staticFile } from '../http/static-file.ts'
import { pngColors } from '../png-colors/png-colors.ts'
import { svgErrors } from './svg-errors.ts'

/** The largest picture that is taken. */
const PICTURE_BYTES_MAXIMUM = 128 * 1024

/** Pictures by their address. */
export type Pictures = ReadonlyMap<string, StaticFile>

/** A picture opened by itself is a page: this one loads nothing, runs nothing and belongs to no origin. */
const PICTURE_POLICY = closedPolicy({ sandbox: '' })

/** Reads every picture of the folder logos; what is wrong with one is added to the faults. */
export function readPictures(configDir: string, faults: string[]): Pictures {
  const pictures = new Map<string, StaticFile>()
  for (const path of pathsIn({ configDir, folder: 'logos', pattern: /\.(?:svg|png)$/ }, faults)) {
    const bytes = bytesOf(path, PICTURE_BYTES_MAXIMUM, faults)
    if (bytes === undefined) continue
    const found = path.endsWith('.svg') ? vectorFaults(path, bytes) : pngErrors(bytes)
    faults.push(...found.map((fault) => `${shownPath(path)} ${shown(fault)}`))
    const file = basename(path)
    pictures.set(`/brand/${file}`, staticFile(file, bytes))
  }
  return pictures

  function vectorFaults(path: string, bytes: Buffer): readonly string[] {
    const svg = textOf(path, bytes, faults)
    return svg === undefined ? [] : svgErrors(svg)
  }
}

function pngErrors(bytes: Buffer): readonly string[] {
  const read = pngColors(bytes)
  return 'fault' in read ? [read.fault] : []
}

/** Serves them under their addresses. */
export function servePictures(app: FastifyInstance, pictures: Pictures): void {
  app.get('/brand/:name', (request, reply) => {
    const [address = ''] = request.url.split('?')
    const picture = pictures.get(address)
    if (picture === undefined) return reply.callNotFound()
    void reply.header('content-security-policy', PICTURE_POLICY)
    return sendFile(picture, 'public, max-age=300', request, reply)
  })
}
