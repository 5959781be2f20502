import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { onLauncherGone } from './launcher.mjs'

/** The workspace's root, so that every tool works from any folder. */
export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

/**
 * Runs a program in the foreground and resolves to its exit code, as in a shell (128 plus the signal's number if a
 * signal ended it). A signal to us, or the end of the npm that started us, stops it too,
 * and we exit with its code. With `ipc` it has an IPC channel to us, which closes if we are killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, ipc?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  const { cwd = ROOT, env = process.env, shell = false, ipc = false } = options
  return new Promise((resolve, reject) => {
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = ipc ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit'
    const child = spawn(command, args, { cwd, env, shell, stdio })
    let stopping = false
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      stopping = true
      child.kill(signal)
    }
    const unwatch = onLauncherGone(() => forward('SIGTERM'))
    const settle = () => {
      unwatch()
      process.off('SIGINT', forward).off('SIGTERM', forward)
    }
    process.on('SIGINT', forward).on('SIGTERM', forward)
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      settle()
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      if (stopping) process.exit(status)
      resolve(status)
    })
  })
}
