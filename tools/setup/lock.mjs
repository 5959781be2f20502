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
 * The lock is outside `node_modules`, which an installation removes, and is void when its owner ends.
 *
 * @template Result
 * @param {() => Result | Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function alone(work) {
  for (let told = false; !take(); told = true) {
    if (!told) console.log('Another Portico command is preparing this checkout; waiting for it.')
    await sleep(POLL_MS)
  }
  const letGo = () => rmSync(LOCK, { force: true })
  process.once('exit', letGo)
  try {
    return await work()
  } finally {
    process.off('exit', letGo)
    letGo()
  }
}

// A link is created atomically with its content, so a lock always has an owner.
function take() {
  mkdirSync(FOLDER, { recursive: true })
  const ours = `${LOCK}.${process.pid}`
  writeFileSync(ours, String(process.pid))
  try {
    linkSync(ours, LOCK)
    return true
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    removeIfLeftBehind()
    return false
  } finally {
    rmSync(ours, { force: true })
  }
}

function removeIfLeftBehind() {
  const left = `${LOCK}.left.${process.pid}`
  try {
    if (alive(Number(readFileSync(LOCK, 'utf8')))) return
    // Of several processes that saw the dead owner only one moves the file; for the others it is missing.
    renameSync(LOCK, left)
    rmSync(left, { force: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** @param {number} pid */
function alive(pid) {
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
