import { Counter, Gauge, type Registry } from 'prom-client'
import type { CloseReason } from './close-codes.ts'
import type { PublishResult } from './exchange.ts'

/** Why a frame, message or connection was dropped. */
type DropReason =
  | Exclude<CloseReason, 'stopping'>
  | 'unreadable'
  | 'binary'
  | 'expired'
  | 'slow-reader'
  | 'no-pong'
  | 'webhook'

export type CountDrops = (reason: DropReason, count?: number) => void

export interface RelayMetrics {
  readonly countMessage: (outcome: PublishResult['outcome']) => void
  readonly countDrops: CountDrops
  /** Registers a gauge that is read on each scrape. */
  readonly addGauge: (
    name: 'connections' | 'topics' | 'waiting_topics',
    help: string,
    read: () => number | Promise<number>,
  ) => void
}

export function relayMetrics(registry: Registry): RelayMetrics {
  const registers = [registry]
  // Counted here and passed on at each scrape: the library would take longer per message than the relay itself.
  const published: Record<PublishResult['outcome'], number> = {
    delivered: 0,
    queued: 0,
    'queue-full': 0,
    'relay-full': 0,
  }
  void new Counter({
    name: 'portico_relay_messages_total',
    help: 'Messages published, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(published)) this.inc({ outcome }, count)
    },
  })
  const drops = new Counter({
    name: 'portico_relay_drops_total',
    help: 'Frames, messages and connections dropped by the relay, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    countMessage(outcome) {
      published[outcome] += 1
    },
    countDrops: (reason, count = 1) => drops.inc({ reason }, count),
    addGauge: (name, help, read) =>
      void new Gauge({
        name: `portico_relay_${name}`,
        help,
        registers,
        async collect() {
          this.set(await read())
        },
      }),
  }
}
