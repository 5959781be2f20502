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
  const messages = new Counter({
    name: 'portico_relay_messages_total',
    help: 'Messages published, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const drops = new Counter({
    name: 'portico_relay_drops_total',
    help: 'Frames, messages and connections the relay let go of, by reason.',
    labelNames: ['reason'],
    registers,
  })
  // Finding the series anew for each message is not worth it.
  const outcomes = {
    delivered: messages.labels('delivered'),
    queued: messages.labels('queued'),
    'queue-full': messages.labels('queue-full'),
    'relay-full': messages.labels('relay-full'),
  } satisfies Record<Published['outcome'], Counter.Internal>
  return {
    countMessage: (outcome) => outcomes[outcome].inc(),
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
