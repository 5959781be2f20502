import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const POLL_MS = 500

const parent = process.ppid
const grandparent = startedByShellOfNpm() ? parentOf(parent) : undefined

/**
 * Calls back when npm, or the shell that it runs a script in, has ended, because neither forwards that to its child
 * process. Does nothing for a command that was started without npm.
 *
 * @param {() => void} callback
 * @returns {() => void} stops watching
 */
export function onLauncherGone(callback) {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const timer = setInterval(() => {
    if (!isLauncherGone()) return
    clearInterval(timer)
    callback()
  }, POLL_MS)
  return () => clearInterval(timer)
}

function isLauncherGone() {
  if (process.ppid !== parent || !isAlive(parent)) return true
  if (grandparent === undefined) return false
  // A zombie process still looks alive, but its children have another parent.
  return process.platform === 'linux' ? parentOf(parent) !== grandparent : !isAlive(grandparent)
}

function startedByShellOfNpm() {
  return process.env.npm_lifecycle_event !== undefined && !/^(?:npm|node)/.test(nameOf(parent))
}

/** @param {number} pid */
function nameOf(pid) {
  if (process.platform === 'linux') return readProc(pid, 'comm').trim()
  return process.platform === 'win32' ? 'node' : ps(pid, 'comm').replace(/^.*\//, '')
}

/** @param {number} pid */
function parentOf(pid) {
  // The name in parentheses may itself contain spaces and parentheses.
  const text =
    process.platform === 'linux'
      ? readProc(pid, 'stat').replace(/^.*\) \S+ /s, '')
      : ps(pid, 'ppid')
  return Number.parseInt(text, 10) || undefined
}

/**
 * @param {number} pid
 * @param {string} file
 */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // The process has ended.
  }
}

/**
 * @param {number} pid
 * @param {string} column
 */
function ps(pid, column) {
  try {
    return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return '' // The process has ended.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
