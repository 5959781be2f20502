import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './processes.mjs'

/**
 * A hash of the names and contents of files and folders, to detect whether their outputs are up to date. Modification times
 * would not work: a fresh checkout has new times on old files.
 *
 * @param {readonly string[]} paths relative to the workspace; missing ones are part of the hash
 * @param {(file: string) => boolean} [isIncluded]
 * @returns {string}
 */
export function fingerprint(paths, isIncluded = () => true) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow).filter(isIncluded).sort()) {
    const content = readFileSync(path.join(ROOT, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * @param {string} relative
 * @returns {string[]}
 */
function filesBelow(relative) {
  const stats = statSync(path.join(ROOT, relative), { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [relative]
  return readdirSync(path.join(ROOT, relative))
    .filter((name) => name !== 'node_modules' && name !== 'dist' && !name.startsWith('.'))
    .flatMap((name) => filesBelow(`${relative}/${name}`))
}
