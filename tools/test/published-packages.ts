import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from '../setup/failure.mjs'
import { fingerprint } from '../setup/fingerprint.mjs'
import { alone } from '../setup/lock.mjs'
import { runNpm } from '../setup/npm.mjs'
import { ROOT } from '../setup/processes.mjs'

const FOLDER = 'tests/interop'

/** The folder of the published packages, which are not part of the product. */
export const PUBLISHED_PACKAGES = path.join(ROOT, FOLDER)

const MODULES = path.join(PUBLISHED_PACKAGES, 'node_modules')
const STAMP = path.join(MODULES, '.portico-installed')

/**
 * Installs the published packages if they are missing or differ from their lockfile; otherwise it takes a few
 * milliseconds. Installs exactly the lockfile's packages without running their scripts.
 *
 * @throws SetupFailure - if the installation fails
 */
export async function installPublishedPackages(): Promise<void> {
  const wanted = fingerprint(
    ['package.json', 'package-lock.json'].map((name) => `${FOLDER}/${name}`),
  )
  if (installed() === wanted) return
  await alone(async () => {
    if (installed() === wanted) return
    console.log('Installing the published packages …')
    rmSync(STAMP, { force: true })
    const args = ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
    const code = await runNpm(args, { cwd: PUBLISHED_PACKAGES })
    if (code !== 0) {
      throw new SetupFailure(
        `The published packages could not be installed: "npm ci" in ${FOLDER} exited with code ${code}; its output is\n` +
          'above. Most often the network or the package registry cannot be reached: see whether "npm ping" answers.',
      )
    }
    writeFileSync(STAMP, wanted)
  })
}

function installed(): string | undefined {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return undefined // Nothing was installed yet.
  }
}
