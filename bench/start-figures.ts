import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT } from '../tools/setup/processes.mjs'
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs'
import { type Figure, figure, short } from './figure.ts'
import { measureAlternately } from './pairs.ts'
import type { Engine } from './seeds.ts'
import { aSite, emptyServer } from './sites.ts'

const IDENTITIES = 10_000
const IDLE_MS = 10_000
const START_BUDGET_MS = 1000
const MEMORY_BUDGET_MB = 150
const READY = /^Portico is ready: (\S+)\/auth\/login$/m

/** The server as run in production. */
export type Running = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  readonly startedInMs: number
}

/** Starts the built product, or another program such as a release's, and waits until it is ready. */
export async function runMain(
  environment: Readonly<Record<string, string>>,
  program = path.join(ROOT, 'apps/server/dist/lib/server.js'),
): Promise<Running> {
  const begin = performance.now()
  const main = spawn(process.execPath, [...SERVER_FLAGS, program], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const end = () => main.kill('SIGKILL')
  process.once('exit', end)
  main.once('exit', () => process.off('exit', end))
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    main.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const ready = READY.exec(output)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    main.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return {
    url,
    pid: main.pid ?? 0,
    startedInMs: performance.now() - begin,
    async [Symbol.asyncDispose]() {
      const exited = once(main, 'exit')
      main.kill('SIGTERM')
      await exited
    },
  }
}

/** The resident memory of a process, in megabytes. */
export function memoryOf(pid: number): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return (Number(kilobytes) * 1024) / 1e6
}

/** The duration of a start on existing data. */
export async function startFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  const { ours, bare } = await measureAlternately(rounds, {
    bare: async () => {
      const begin = performance.now()
      await using _empty = await emptyServer()
      return performance.now() - begin
    },
    ours: async () => {
      await using running = await runMain(site.environment)
      return running.startedInMs
    },
  })
  return [
    figure({
      figure: 'Start to ready on existing data, built; a bare server',
      on: engine,
      ours,
      baseline: bare,
      write: (ms) => `${short(ms)} ms`,
      budget: { text: 'under 1 s', isMet: (pair) => pair.ours < START_BUDGET_MS },
    }),
  ]
}

/** The memory of an idle process. */
export async function memoryFigures(engine: Engine, rounds: number): Promise<Figure[]> {
  await using site = await aSite(engine, IDENTITIES)
  const idle = async (open: () => Promise<AsyncDisposable & { readonly pid: number }>) => {
    await using running = await open()
    await wait(IDLE_MS)
    return memoryOf(running.pid)
  }
  const { ours, bare } = await measureAlternately(Math.min(rounds, 3), {
    bare: () => idle(emptyServer),
    ours: () => idle(() => runMain(site.environment)),
  })
  return [
    figure({
      figure: 'Idle memory, 10 s after the start; a bare server',
      on: engine,
      ours,
      baseline: bare,
      write: megabytes,
      budget: { text: 'under 150 MB', isMet: (pair) => pair.ours < MEMORY_BUDGET_MB },
    }),
  ]
}

/** A size in memory. */
export const megabytes = (value: number) => `${short(value)} MB`
