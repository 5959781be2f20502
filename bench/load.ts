import { child } from './child.ts'
import type { Spread } from './spread.ts'

/** Load on a local port. It ends after `forMs`, or when each request was sent once. */
export type Load = {
  readonly port: number
  /** Raw requests, sent in turn. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly warmUpMs?: number
  readonly forMs?: number
  /** The rate; full speed if absent. */
  readonly perSecond?: number
  /** Whether the generator occupies a core; not if a database needs one too. */
  readonly awake?: boolean
  /** Whether to return the responses, in the order of the requests. */
  readonly keep?: boolean
}

/** A raw response. */
export type Answer = { readonly status: string; readonly head: string; readonly body: string }

/** The result of a load. Latencies are in milliseconds. */
export type LoadOutcome = {
  readonly counted: number
  readonly sent: number
  readonly seconds: number
  readonly statuses: Readonly<Record<string, number>>
  readonly answers: readonly Answer[]
  readonly latency: Spread
}

/** Puts load on a server from a separate process; an unsuccessful response is a defect of the benchmark. */
export async function putLoad(load: Load): Promise<LoadOutcome> {
  await using generator = child('load-process.ts')
  const { outcome, error } = await generator.ask<{ outcome?: LoadOutcome; error?: string }>(load)
  if (outcome === undefined) throw new Error(`The load was not answered: ${error}`)
  const refused = Object.keys(outcome.statuses).filter((status) => !status.startsWith('2'))
  if (refused.length > 0) {
    throw new Error(`The load was refused: ${JSON.stringify(outcome.statuses)}`)
  }
  return outcome
}

/** Formats a raw request. */
export function wireRequest(parts: {
  readonly method?: string
  readonly path: string
  readonly port: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}): string {
  const { method = 'GET', path, port, headers = {}, body } = parts
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: `127.0.0.1:${port}`,
    accept: 'application/json',
    'user-agent': 'Mozilla/5.0 (bench)',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

let networks = 0

/** A new network, to avoid rate limits. */
export function anotherNetwork(): Record<string, string> {
  networks += 1
  return {
    'x-forwarded-for': `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`,
  }
}
