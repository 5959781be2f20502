import { type Child, child } from './child.ts'
import type { Spread } from './spread.ts'

/** Messages through one server, or from one node to another. */
export type RelayLoad = {
  /** The ports of publishers and subscribers. */
  readonly ports: readonly [publishers: number, readers: number]
  /** Whether a frame returns to its sender, as from an echo, or goes to the other of a pair. */
  readonly echo: boolean
  readonly pairs: number
  /** Messages in flight per pair. */
  readonly inFlight: number
  /** Messages per second of all pairs together; full speed if absent. */
  readonly perSecond?: number
  readonly warmUpMs: number
  readonly forMs: number
}

/** The result of a load: total messages, messages per second of the measured time, and latencies in milliseconds. */
export type RelayOutcome = {
  readonly messages: number
  readonly perSecond: number
  readonly latency: Spread
}

/** Puts load on a relay or an echo from a separate process; calls `opened` before the first message. */
export async function putRelayLoad(
  load: RelayLoad,
  opened: () => Promise<void> = async () => {},
): Promise<RelayOutcome> {
  await using generator = child('relay-load-process.ts')
  unwrap<{ open: number }>(await generator.ask<{ open: number } | { error: string }>({ load }))
  await opened()
  return unwrap<RelayOutcome>(await generator.ask<RelayOutcome | { error: string }>({ go: true }))
}

/** Opens idle connections, each subscribed to its own topic; they end with the process. */
export async function openIdle(port: number, count: number, subscribed: boolean): Promise<Child> {
  const generator = child('relay-load-process.ts')
  unwrap<{ open: number }>(
    await generator.ask<{ open: number } | { error: string }>({ port, count, subscribed }),
  )
  return generator
}

function unwrap<Answer extends object>(answer: Answer | { readonly error: string }): Answer {
  if ('error' in answer) throw new Error(`The load was not answered: ${answer.error}`)
  return answer
}
