import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { fingerprint } from './fingerprint.mjs'
import { alone } from './lock.mjs'
import { runNpm } from './npm.mjs'
import { ROOT } from './processes.mjs'

const MODULES = path.join(ROOT, 'node_modules')
const STAMP = path.join(MODULES, '.portico-installed')
const UNFINISHED = 'unfinished'

/**
 * Installs the dependencies where they are missing or no longer what the lockfile says, and costs
 * a few milliseconds otherwise.
 */
export async function installIfNeeded() {
  if (readStamp() === wanted()) return
  await alone(async () => {
    if (readStamp() === wanted()) return
    if (readStamp() === UNFINISHED || !installedByHand()) await install()
    writeFileSync(STAMP, wanted())
  })
}

async function install() {
  console.log('Installing dependencies (a minute on a slow line) …')
  // npm takes a package that it was stopped in the middle of for a whole one.
  if (readStamp() === UNFINISHED) rmSync(MODULES, { recursive: true, force: true })
  mkdirSync(MODULES, { recursive: true })
  writeFileSync(STAMP, UNFINISHED)
  // Not "npm ci": that refuses a lockfile that lacks the builds of some tool for another platform,
  // as one written where those cannot be fetched does. Without saving, the lockfile stays untouched.
  // The tools that build are needed also where NODE_ENV=production would leave them out.
  const args = ['install', '--no-save', '--include=dev', '--prefer-offline', '--loglevel=error']
  const code = await runNpm(args)
  if (code === 0) return
  throw new SetupFailure(
    `The dependencies could not be installed: "npm install" ended with code ${code}; its words are above.\n` +
      'Most often the network, a proxy or the package registry cannot be reached: see whether\n' +
      '"npm ping" answers, then run the same command again.',
  )
}

/** What must be unchanged for an installation to be good, the machine's kind included. */
function wanted() {
  const manifests = ['package.json', 'package-lock.json', '.npmrc']
  return `${process.platform}-${process.arch} ${fingerprint(manifests)}`
}

function readStamp() {
  return readText(STAMP)
}

/**
 * A developer who ran npm has what the lockfile asks for already: npm keeps its own list of what it
 * installed, written last, so that equal lists mean a complete installation.
 */
function installedByHand() {
  const asked = packagesOf(path.join(ROOT, 'package-lock.json'))
  const present = packagesOf(path.join(MODULES, '.package-lock.json'))
  return Object.entries(asked).every(
    ([name, entry]) =>
      !name.includes('node_modules/') ||
      (present[name] === undefined
        ? entry.optional === true || entry.devOptional === true
        : present[name].version === entry.version),
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
    return undefined // Not there: nothing was installed yet.
  }
}
