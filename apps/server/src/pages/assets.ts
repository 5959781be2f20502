/**
 * The built files of the applications. They carry content hashes, so browsers keep them for good; their names are known
 * when the server starts, so no path of a request ever reaches the file system.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendFile, staticFile } from '../http/static-file.ts'

const YEAR_S = 365 * 24 * 60 * 60

/** Serves every file of a folder under a prefix. */
export function serveFiles(
  app: FastifyInstance,
  { folder, prefix }: { readonly folder: string; readonly prefix: string },
): void {
  for (const path of filesOf(folder)) {
    const name = relative(folder, path).split(sep).join('/')
    const file = staticFile(name, readFileSync(path))
    app.get(`${prefix}${name}`, (request, reply) =>
      sendFile(file, `public, max-age=${YEAR_S}, immutable`, request, reply),
    )
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !entry.name.startsWith('.') && !entry.parentPath.includes(`${sep}.vite`),
    )
    .map((entry) => join(entry.parentPath, entry.name))
}
