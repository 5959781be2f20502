/** Static files served from memory, with content type, entity tag and compression. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Refusal } from '@portico/contracts/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

const YEAR_S = 365 * 24 * 60 * 60

const COMPRESSIBLE = /^(?:text|application\/(?:json|manifest\+json|wasm)|image\/svg)/

/** The first visitor after a start waits for this quality: 9 would take seven times as long and save one percent. */
const FIRST_QUALITY = 5
/** Later visitors get a tenth less, for half a second of work on the login page's script. */
const BEST_QUALITY = constants.BROTLI_MAX_QUALITY

const brotli = (bytes: Buffer, quality: number): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

const compressors = {
  br: (bytes: Buffer) => brotli(bytes, FIRST_QUALITY),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const

export interface StaticFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
  readonly compressed: Partial<Record<keyof typeof compressors, Promise<Buffer>>>
}

export function staticFile(name: string, bytes: Buffer): StaticFile {
  return {
    bytes,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`,
    compressed: {},
  }
}

/** Sends a file. Each encoding is compressed once, Brotli a second time for later visitors. */
export async function sendFile(
  { bytes, type, etag, compressed }: StaticFile,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.headers({
    'content-type': type,
    'cache-control': cacheControl,
    etag,
    vary: 'accept-encoding',
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
  if (encoding === undefined || !COMPRESSIBLE.test(type)) return reply.send(bytes)
  const isFirst = compressed[encoding] === undefined
  compressed[encoding] ??= compressors[encoding](bytes)
  const sent = await compressed[encoding]
  if (isFirst && encoding === 'br') {
    const best = brotli(bytes, BEST_QUALITY)
    // Without memory for it, the first form stays.
    best.then(
      () => {
        compressed.br = best
      },
      () => undefined,
    )
  }
  return reply.header('content-encoding', encoding).send(sent)
}

/**
 * Serves the built files of an application. Their names contain content hashes, so browsers cache them forever. They are
 * looked up in memory by name, so no request path ever reaches the file system.
 */
export function serveFiles(
  app: FastifyInstance,
  {
    folder,
    prefix,
    headers = {},
    read = 'at start',
  }: {
    readonly folder: string
    readonly prefix: string
    /** `on demand` reads them on the first request. */
    readonly read?: 'at start' | 'on demand'
    /** Headers of every file, for example the policy of workers. */
    readonly headers?: Readonly<Record<string, string>>
  },
): void {
  let files = read === 'at start' ? readFiles(folder) : undefined
  app.get(`${prefix}*`, (request, reply) => {
    const { '*': name } = request.params as { '*': string } // The route's pattern has it.
    files ??= readFiles(folder)
    const file = files.get(name)
    if (file === undefined) throw new Refusal('not-found')
    return sendFile(file, `public, max-age=${YEAR_S}, immutable`, request, reply.headers(headers))
  })
}

/** The files of a folder, by their paths below it. */
function readFiles(folder: string): ReadonlyMap<string, StaticFile> {
  return new Map(
    listFiles(folder).map((path) => {
      const name = relative(folder, path).split(sep).join('/')
      return [name, staticFile(name, readFileSync(path))]
    }),
  )
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.name.startsWith('.') && !entry.parentPath.includes(`${sep}.vite`),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}
