/**
 * Serves the built files of the applications. Their names contain content hashes, so browsers cache them forever. Each
 * has its own route, so no request path ever reaches the file system.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendFile, staticFile } from '../http/static-file.ts'

const YEAR_S = 365 * 24 * 60 * 60

export function serveFiles(
  app: FastifyInstance,
  { folder, prefix }: { readonly folder: string; readonly prefix: string },
): void {
  for (const path of listFiles(folder)) {
    const name = relative(folder, path).split(sep).join('/')
    const file = staticFile(name, readFileSync(path))
    app.get(`${prefix}${name}`, (request, reply) =>
      sendFile(file, `public, max-age=${YEAR_S}, immutable`, request, reply),
    )
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.name.startsWith('.') && !entry.parentPath.includes(`${sep}.vite`),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}
