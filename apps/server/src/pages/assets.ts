/**
 * The built files of the applications. They carry content hashes, so browsers keep them for good; their names are known
 * when the server starts, so no path of a request ever reaches the file system.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

const YEAR_S = 365 * 24 * 60 * 60
const COMPRESSIBLE = /^(?:text|application\/json|image\/svg)/

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
} as const

/** Serves every file of a folder under a prefix; `immutable` ones are kept by browsers without asking again. */
export function serveFiles(
  app: FastifyInstance,
  options: { readonly folder: string; readonly prefix: string; readonly immutable: boolean },
): void {
  for (const path of filesOf(options.folder)) {
    const bytes = readFileSync(path)
    const name = relative(options.folder, path).split(sep).join('/')
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
    const cacheControl = options.immutable
      ? `public, max-age=${YEAR_S}, immutable`
      : 'public, max-age=300'
    const compressed = new Map<string, Promise<Buffer>>()

    app.get(`${options.prefix}${name}`, async (request, reply) => {
      void reply.headers({
        'content-type': type,
        'cache-control': cacheControl,
        etag,
        vary: 'accept-encoding',
      })
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      const accepted = request.headers['accept-encoding'] ?? ''
      const encoding = /\bbr\b/.test(accepted)
        ? 'br'
        : /\bgzip\b/.test(accepted)
          ? 'gzip'
          : undefined
      if (encoding === undefined || !COMPRESSIBLE.test(type)) return reply.send(bytes)
      const body = compressed.get(encoding) ?? compressors[encoding](bytes)
      compressed.set(encoding, body)
      return reply.header('content-encoding', encoding).send(await body)
    })
  }
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.name.startsWith('.') && !entry.parentPath.includes(`${sep}.vite`),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}
