import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone when the test is over. */
export interface Folder extends Disposable {
  readonly path: string
  readonly remove: () => void
}

/** Makes an empty folder. */
export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'portico-test-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  return { path, remove, [Symbol.dispose]: remove }
}
