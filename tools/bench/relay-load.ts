import { type Child, child } from './child.ts'
import type { Spread } from './spread.ts'

/** Messages through one server, or from one node to another. */
export type RelayLoad = {
  /** Where those who publish connect, and those who read. */
  readonly ports: readonly [publishers: number, readers: number]
  /** Whether a frame comes back to who sent it, as a bare echo sends it, or goes to the other of a pair. */
  readonly echo: boolean
  readonly pairs: number
  /** Messages of each pair that are under way at a time. */
  readonly underWay: number
  /** Messages a second of all pairs together; as fast as it goes where there is none. */
  readonly perSecond?: number
  readonly warmUpMs: number
  readonly forMs: number
}

/** What a load came to: messages in all, in the time that counts each second, and their times in milliseconds. */
export type RelayOutcome = {
  readonly messages: number
  readonly perSecond: number
  readonly latency: Spread
}

/** Puts load on a relay, or on an echo, from a process of its own; `opened` is called before the first message. */
export async function putRelayLoad(
  load: RelayLoad,
  opened: () => Promise<void> = async () => {},
): Promise<RelayOutcome> {
  await using generator = child('relay-load-process.ts')
  answered<{ open: number }>(await generator.ask<{ open: number } | { fault: string }>({ load }))
  await opened()
  return answered<RelayOutcome>(await generator.ask<RelayOutcome | { fault: string }>({ go: true }))
}

/** Opens connections that do nothing but be there, each subscribed to a topic of its own; they end with the process. */
export async function openIdle(port: number, count: number, subscribed: boolean): Promise<Child> {
  const generator = child('relay-load-process.ts')
  answered<{ open: number }>(
    await generator.ask<{ open: number } | { fault: string }>({ port, count, subscribed }),
  )
  return generator
}

function answered<Answer extends object>(answer: Answer | { readonly fault: string }): Answer {
  if ('fault' in answer) throw new Error(`The load was not answered: ${answer.fault}`)
  return answer
}
