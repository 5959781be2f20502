import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { fingerprint } from './fingerprint.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { ROOT } from './processes.mjs'

/**
 * Installs the packages of a folder with a lockfile of its own, which are not part of the product, if they are missing or
 * differ from the lockfile; otherwise it takes a few milliseconds. Installs exactly the lockfile's packages without
 * running their scripts.
 *
 * @throws SetupFailure - if the installation fails
 */
export async function installFolder(folder: string): Promise<void> {
  const stamp = path.join(ROOT, folder, 'node_modules/.portico-installed')
  const wanted = fingerprint(
    ['package.json', 'package-lock.json'].map((name) => `${folder}/${name}`),
  )
  if (contentOf(stamp) === wanted) return
  await alone(async () => {
    if (contentOf(stamp) === wanted) return
    console.log(`Installing the packages of ${folder} …`)
    rmSync(stamp, { force: true })
    const args = ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
    const code = await runNpm(args, { cwd: path.join(ROOT, folder) })
    if (code !== 0) {
      throw new SetupFailure(
        `The packages could not be installed: "npm ci" in ${folder} exited with code ${code}; its output is above.\n` +
          'Most often the network or the package registry cannot be reached: see whether "npm ping" answers.',
      )
    }
    writeFileSync(stamp, wanted)
  })
}

function contentOf(stamp: string): string | undefined {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined // Nothing was installed yet.
  }
}
