import { Counter, Gauge, type Registry } from 'prom-client'
import type { CloseReason } from './close-codes.ts'
import type { Published } from './exchange.ts'

/** Why something that came in goes no further. */
type DropReason =
  | Exclude<CloseReason, 'stopping'>
  | 'unreadable'
  | 'binary'
  | 'expired'
  | 'slow-reader'
  | 'no-pong'
  | 'webhook'

/** Counts what was dropped. */
export type CountDrops = (reason: DropReason, count?: number) => void

/** What the relay tells about itself. */
export interface RelayMetrics {
  readonly countMessage: (outcome: Published['outcome']) => void
  readonly countDrops: CountDrops
  /** Shows a figure that is read when somebody asks. */
  readonly show: (
    name: 'connections' | 'topics' | 'waiting_topics',
    help: string,
    read: () => number | Promise<number>,
  ) => void
}

/** Registers the relay's metrics. */
export function relayMetrics(registry: Registry): RelayMetrics {
  const registers = [registry]
  // Counted here and handed over when somebody asks: the library would spend more on a message than the relay does.
  const published: Record<Published['outcome'], number> = {
    delivered: 0,
    queued: 0,
    'queue-full': 0,
    'relay-full': 0,
  }
  void new Counter({
    name: 'portico_relay_messages_total',
    help: 'Messages published, by what became of them.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, count] of Object.entries(published)) this.inc({ outcome }, count)
    },
  })
  const drops = new Counter({
    name: 'portico_relay_drops_total',
    help: 'Frames, messages and connections the relay let go of, by reason.',
    labelNames: ['reason'],
    registers,
  })
  return {
    countMessage(outcome) {
      published[outcome] += 1
    },
    countDrops: (reason, count = 1) => drops.inc({ reason }, count),
    show: (name, help, read) =>
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
