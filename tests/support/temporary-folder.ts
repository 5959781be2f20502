import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is removed after the test. */
export interface Folder extends Disposable {
  readonly path: string
  readonly remove: () => void
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'portico-test-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  return { path, remove, [Symbol.dispose]: remove }
}
