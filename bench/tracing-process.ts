// Two servers in one process, with and without tracing, measured in short turns, so that other load affects both.
import { join } from 'node:path'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'

/** Requests per turn: a few milliseconds, so that most turns are not interrupted. */
const REQUESTS = 50

const { OTEL_EXPORTER_OTLP_ENDPOINT, DATA_DIR = '', ...environment } = process.env

async function serve(name: string, more: NodeJS.ProcessEnv) {
  const config = parseConfig({ ...environment, DATA_DIR: join(DATA_DIR, name), ...more })
  const { app } = await buildServer(config, { log: openLog(config.logLevel) })
  await app.ready()
  /** Processor time per request in microseconds. */
  return async (headers: readonly Record<string, string>[]): Promise<number> => {
    const before = process.cpuUsage()
    for (const each of headers) await app.inject({ url: '/healthz', headers: each })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / headers.length
  }
}

const plain = await serve('plain', {})
const traced = await serve('traced', { OTEL_EXPORTER_OTLP_ENDPOINT })
process.send?.('ready')

function aTraceparent(): Record<string, string> {
  const hex = (bytes: number) =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex')
  return { traceparent: `00-${hex(16)}-${hex(8)}-00` }
}

async function measure(turns: number, continues: boolean) {
  const times = { ours: [] as number[], baseline: [] as number[] }
  for (let turn = 0; turn < turns; turn += 1) {
    const headers = Array.from({ length: REQUESTS }, () => (continues ? aTraceparent() : {}))
    // Each is first in half of the turns, because the second finds warmer caches and more garbage.
    if (turn % 2 === 0) times.baseline.push(await plain(headers))
    times.ours.push(await traced(headers))
    if (turn % 2 === 1) times.baseline.push(await plain(headers))
  }
  process.send?.(times)
}

process.on('message', ({ turns, continues }: { turns: number; continues: boolean }) => {
  void measure(turns, continues)
})
process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
