import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../../tools/machine/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WAITS = { timeout: 60_000, interval: 50 }

type Role = 'npm' | 'shell' | 'start' | 'server'

/** `npm start` as a supervisor runs it: in its own session, so no terminal signals the other processes. */
async function npmStart(): Promise<{
  readonly pid: (role: Role) => number
  readonly port: number
  readonly output: () => string
  readonly running: () => Role[]
  readonly dataDir: string
  readonly [Symbol.dispose]: () => void
}> {
  const folder = temporaryFolder()
  const port = await freePort()
  // Vitest's environment must not reach npm.
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
  }
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...env, PORT: String(port), DATA_DIR: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = collect(npm)
  await vi.waitFor(() => expect(output()).toContain('Portico is ready'), WAITS)
  const shell = childOf(npm.pid ?? 0)
  const start = childOf(shell)
  const pids = { npm: npm.pid ?? 0, shell, start, server: childOf(start) }
  const roles = Object.keys(pids) as Role[] // The literal's keys are its type's keys.
  const running = () => roles.filter((role) => isRunning(pids[role]))
  return {
    pid: (role) => pids[role],
    port,
    output,
    running,
    dataDir: folder.path,
    [Symbol.dispose]: () => {
      for (const role of running()) process.kill(pids[role], 'SIGKILL')
      folder.remove()
    },
  }
}

function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk
    })
  }
  return () => text
}

function stat(pid: number): { state: string; parent: number } | undefined {
  try {
    const [state = '', parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined // The process has ended.
  }
}

function childOf(pid: number): number {
  const found = readdirSync('/proc')
    .map(Number)
    .find((other) => other > 0 && stat(other)?.parent === pid)
  if (found === undefined) throw new Error(`Process ${pid} has no child`)
  return found
}

const isRunning = (pid: number) => !['Z', 'X', undefined].includes(stat(pid)?.state)

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })

// Processes are found in /proc, which only Linux has; the database makes no difference.
const applies = process.platform === 'linux' && !ON_POSTGRES
describe.runIf(applies)('npm start', { concurrent: true }, () => {
  test.each<[Role, NodeJS.Signals]>([
    ['npm', 'SIGTERM'],
    ['start', 'SIGKILL'],
  ])('stops gracefully and completely when only its %s gets %s', stops)

  test.each<[Role, NodeJS.Signals]>([
    ['npm', 'SIGKILL'],
    ['shell', 'SIGTERM'],
    ['shell', 'SIGKILL'],
    ['start', 'SIGTERM'],
    ['server', 'SIGTERM'],
  ])('stops gracefully and completely when only its %s gets %s', { tags: 'exhaustive' }, stops)
})

async function stops(role: Role, signal: NodeJS.Signals): Promise<void> {
  using command = await npmStart()
  expect(command.running()).toEqual(['npm', 'shell', 'start', 'server'])
  process.kill(command.pid(role), signal)
  await vi.waitFor(() => expect(command.running()).toEqual([]), WAITS)
  expect(await isTaken(command.port)).toBe(false)
  expect(command.output()).toContain('"msg":"stopping"')
  expect(command.output()).not.toContain('shutdown failed')
  // The embedded database was closed: its journal is empty.
  expect(readdirSync(command.dataDir).filter((name) => name.endsWith('-wal'))).toEqual([])
}

test('an argument starts nothing and names where the settings are', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/start.mjs', '--help'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('docs/configuration.md')
})
