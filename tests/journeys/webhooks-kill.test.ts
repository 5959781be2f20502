/** @module-tag database */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const PROGRAM = fileURLToPath(new URL('../support/webhook-process.ts', import.meta.url))
const KILLS = process.env.PORTICO_EXHAUSTIVE !== undefined ? 1000 : 4
/** More than a process can commit before it is killed. */
const EVENTS = 1000
/** Longer than the lease of a lane. */
const SKIPPED_MS = 40_000

const { PATH, NODE_COMPILE_CACHE } = process.env

test(`webhooks: killed ${KILLS} times between commit and delivery, a node loses no committed event`, async () => {
  using data = temporaryFolder()
  using receiver = await webhookReceiver()
  const database = await testDatabase()
  const environment = {
    PATH,
    NODE_COMPILE_CACHE,
    DATA_DIR: data.path,
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
  const committed: number[] = []
  /** Starts a node that commits up to `count` events. */
  const start = (run: number, count: number): ChildProcess => {
    const words = [receiver.url, `${run * EVENTS}`, `${count}`, `${run * SKIPPED_MS}`]
    const node = spawn(process.execPath, [PROGRAM, ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    node.stdout?.on('data', (chunk: Buffer) => {
      const lines = `${output}${chunk.toString()}`.split('\n')
      output = lines.pop() ?? ''
      committed.push(...lines.filter((line) => line !== 'ready').map(Number))
    })
    return node
  }
  /** The committed events that have not arrived yet. */
  const missing = (): readonly number[] => {
    const arrived = new Set(receiver.received.map(({ payload }) => payload.data['version']))
    return committed.filter((number) => !arrived.has(number))
  }
  const waiting: number[] = []
  try {
    for (let run = 0; run < KILLS; run += 1) {
      const node = start(run, EVENTS)
      const exited = once(node, 'exit')
      const enough = committed.length + randomInt(1, 30)
      while (committed.length < enough && node.exitCode === null) await wait(1)
      await wait(randomInt(0, 10))
      expect(node.kill('SIGKILL')).toBe(true)
      await exited
      waiting.push(missing().length)
    }
    const last = start(KILLS, 0)
    const exited = once(last, 'exit')
    await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 120_000, interval: 200 })
    last.kill('SIGKILL')
    await exited
  } finally {
    await database?.drop()
  }
  // Otherwise the kills would have come after the deliveries, and the test would prove nothing.
  expect(waiting.filter((count) => count > 0).length).toBeGreaterThan(KILLS / 2)
})
