import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { fingerprint } from './fingerprint.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { ROOT } from './processes.mjs'

const MODULES = path.join(ROOT, 'node_modules')
const INSTALLED = path.join(MODULES, '.package-lock.json')
const STAMP = path.join(MODULES, '.portico-installed')

/**
 * Installs the dependencies if they are missing or differ from the lockfile; otherwise it takes
 * a few milliseconds.
 */
export async function installIfNeeded() {
  if (readStamp() === wanted()) return
  await alone(async () => {
    if (readStamp() === wanted()) return
    if (!installedByHand()) await install()
    writeFileSync(STAMP, wanted())
  })
}

/**
 * Installs the dependencies only if there are none, for tools that may run beside a server, because an installation
 * replaces every package.
 */
export async function installIfMissing() {
  if (!existsSync(INSTALLED)) await installIfNeeded()
}

async function install() {
  console.log('Installing dependencies (a minute on a slow line) …')
  // Build tools are needed even with NODE_ENV=production, which would omit them.
  const code = await runNpm(['ci', '--include=dev', '--prefer-offline', '--loglevel=error'])
  if (code === 0) return
  throw new SetupFailure(
    `The dependencies could not be installed: "npm ci" ended with code ${code}; its output is above.\n` +
      'Usually the network, a proxy or the package registry is unavailable: check with "npm ping",\n' +
      'then run the same command again.',
  )
}

/** The inputs of an installation, including the platform. */
function wanted() {
  const manifests = ['package.json', 'package-lock.json', '.npmrc']
  return `${process.platform}-${process.arch} ${fingerprint(manifests)}`
}

function readStamp() {
  return readText(STAMP)
}

/**
 * Detects an installation by the developer's own npm: npm writes its own list of installed packages
 * last, so equal lists mean a complete installation.
 */
function installedByHand() {
  const locked = packagesOf(path.join(ROOT, 'package-lock.json'))
  const installed = packagesOf(INSTALLED)
  return Object.entries(locked).every(
    ([name, entry]) =>
      !name.includes('node_modules/') ||
      (installed[name] === undefined
        ? entry.optional === true || entry.devOptional === true
        : installed[name].version === entry.version),
  )
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
function packagesOf(file) {
  return JSON.parse(readText(file) ?? '{}').packages ?? {}
}

/** @param {string} file */
function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // Nothing was installed yet.
  }
}
