import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../tools/setup/processes.mjs'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}

/**
 * The compressed size of a part of a built application, named by its path from the application's folder, including its imports, without what the page
 * has already loaded. The style sheet counts as part of the page.
 */
export function builtKilobytes(app: string, part: string, already: readonly string[] = []): number {
  const dist = path.join(ROOT, 'apps', app, 'dist/client')
  const manifest = JSON.parse(
    readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'),
  ) as Readonly<Record<string, Chunk>>
  const loaded = new Set(already.flatMap((each) => filesOf(manifest, each)))
  return filesOf(manifest, part)
    .filter((file) => !loaded.has(file))
    .reduce((sum, file) => sum + weightOf(path.join(dist, file)), 0)
}

function filesOf(manifest: Readonly<Record<string, Chunk>>, name: string): string[] {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`The build has no part ${name}`)
  const imported = (chunk.imports ?? []).flatMap((each) => filesOf(manifest, each))
  const styles = chunk.isEntry ? filesOf(manifest, 'style.css') : []
  return [...new Set([chunk.file, ...styles, ...imported])]
}

const weightOf = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length / 1000
