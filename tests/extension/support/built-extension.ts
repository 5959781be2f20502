import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ROOT } from '../../../tools/setup/processes.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface BuiltExtension extends Disposable {
  readonly chromium: string
  readonly firefox: string
}

/** Builds the extension for the lender at these origins, in a process of its own: Vite builds differently under Vitest. */
export async function builtExtension(origins: readonly string[]): Promise<BuiltExtension> {
  const folder = temporaryFolder()
  const out = `${folder.path}/dist`
  const { NODE_ENV: _, ...env } = process.env
  const options = origins.flatMap((origin) => ['--origin', origin])
  await promisify(execFile)(process.execPath, ['tools/extension.ts', '--out', out, ...options], {
    cwd: ROOT,
    env,
  })
  return {
    chromium: `${out}/chromium`,
    firefox: `${out}/firefox`,
    [Symbol.dispose]: folder.remove,
  }
}
