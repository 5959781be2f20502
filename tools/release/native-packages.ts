import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from '../setup/failure.mjs'
import { runNpm } from '../setup/npm.mjs'
import { ROOT } from '../setup/processes.mjs'
import type { ProductionPackage } from './production-packages.ts'

const CACHE = path.join(ROOT, '.cache/release-packages')

/**
 * The folder of a package's files. Packages for other platforms are not in `node_modules`; they are downloaded once, and npm
 * verifies their hashes.
 */
export async function packageFolder(each: ProductionPackage): Promise<string> {
  const installed = path.join(ROOT, each.folder)
  if (existsSync(path.join(installed, 'package.json'))) return installed
  const project = path.join(CACHE, `${each.name.replaceAll('/', '-')}-${each.version}`)
  const folder = path.join(project, 'node_modules', each.name)
  if (!existsSync(path.join(folder, 'package.json'))) await download(each, project)
  return folder
}

async function download({ name, version, integrity }: ProductionPackage, project: string) {
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project, { recursive: true })
  const manifest = { name: 'release-packages', version: '0.0.0', dependencies: { [name]: version } }
  const lock = {
    lockfileVersion: 3,
    packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } },
  }
  writeFileSync(path.join(project, 'package.json'), JSON.stringify(manifest))
  writeFileSync(path.join(project, 'package-lock.json'), JSON.stringify(lock))
  // The package is for another platform, which npm refuses without `--force`.
  const args = ['ci', '--force', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const code = await runNpm(args, { cwd: project })
  if (code !== 0) {
    throw new SetupFailure(`${name} could not be downloaded; npm's output is above.`)
  }
  const { version: downloaded } = JSON.parse(
    readFileSync(path.join(project, 'node_modules', name, 'package.json'), 'utf8'),
  ) as { version: string }
  if (downloaded !== version) throw new Error(`${name} is ${downloaded} and not ${version}`)
}
