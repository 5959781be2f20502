import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './processes.mjs'

const FOLDER = path.join(ROOT, '.cache')
const LOCK = path.join(FOLDER, 'setup.lock')
const POLL_MS = 200
const sleep = promisify(setTimeout)

/**
 * Serializes changes to `node_modules` and the builds of this checkout across processes.
 * The lock is outside `node_modules`, which an installation removes, and does not outlive its owner.
 *
 * @template Result
 * @param {() => Result | Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function alone(work) {
  for (let reported = false; !acquire(); reported = true) {
    if (!reported)
      console.log('Another Portico command is preparing this checkout; waiting for it.')
    await sleep(POLL_MS)
  }
  const release = () => rmSync(LOCK, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

// A link is created atomically with its content, so a lock always has an owner.
function acquire() {
  mkdirSync(FOLDER, { recursive: true })
  const file = `${LOCK}.${process.pid}`
  writeFileSync(file, String(process.pid))
  try {
    linkSync(file, LOCK)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    removeIfStale()
    return false
  } finally {
    rmSync(file, { force: true })
  }
}

function removeIfStale() {
  const stale = `${LOCK}.stale.${process.pid}`
  try {
    if (isAlive(Number(readFileSync(LOCK, 'utf8')))) return
    // Of several processes that saw the dead owner only one moves the file; for the others it is missing.
    renameSync(LOCK, stale)
    rmSync(stale, { force: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
