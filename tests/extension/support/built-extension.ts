import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../tools/setup/processes.mjs'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface BuiltExtension extends Disposable {
  /** The unpacked folder. */
  readonly chromium: string
  /** The package, as users install it. */
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
  const zipOf = (target: string) => readdirSync(out).find((name) => name.endsWith(`-${target}.zip`))
  return {
    chromium: `${out}/chromium`,
    firefox: path.join(out, zipOf('firefox') ?? ''),
    [Symbol.dispose]: folder.remove,
  }
}
