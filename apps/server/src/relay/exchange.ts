/** A message somebody published. */
interface Publication {
  readonly topic: string
  /** The frame as it was published. */
  readonly text: string
  /** Whether the topic's webhooks are asked for. */
  readonly withWebhooks: boolean
}

/** What became of a message. */
export interface Published {
  /**
   * Handed to whoever listens; kept for whoever will; refused because too much waits for that topic already; or refused
   * because there is no room at all.
   */
  readonly outcome: 'delivered' | 'queued' | 'queue-full' | 'relay-full'
  readonly webhooks: readonly string[]
  /** What keeping it costs in bytes; 0 where it is not kept. */
  readonly kept: number
}

/** Hands a message to the connections of this node that listen to its topic; tells whether there was one. */
type Deliver = (topic: string, text: string) => boolean

/**
 * Where messages meet their readers and wait for absent ones: in this process, or in Redis for readers on any node.
 * It knows topics and texts, and no connection.
 */
export interface Exchange {
  /** Passes a message on and tells what became of it. */
  readonly publish: (publication: Publication, tell: (published: Published) => void) => void
  /** This node has its first reader of a topic: what waits for it is delivered, the oldest first, then what comes. */
  readonly listen: (topic: string) => void
  /** This node has no reader of a topic any more. */
  readonly leave: (topic: string) => void
  /** Remembers a webhook of a topic; tells whether there was room. */
  readonly addWebhook: (webhook: Webhook) => Promise<boolean>
  /** Topics for which messages wait. */
  readonly waiting: () => Promise<number>
  /** Forgets what is too old. */
  readonly sweep: () => void
  readonly ready: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** A webhook, and the network that registers it. */
interface Webhook {
  readonly topic: string
  readonly url: string
  readonly network: string
}

/** Opens an exchange that delivers to a relay. */
export type OpenExchange = (deliver: Deliver) => Exchange

/** Measured with one message to a topic, which costs the most: the topic, its queue and the entry itself. */
const QUEUED_OVERHEAD_BYTES = 1024

/** What a waiting message costs: a text that is not plain ASCII takes two bytes a character in memory. */
export function queuedCost(text: string): number {
  const isAscii = Buffer.byteLength(text) === text.length
  return QUEUED_OVERHEAD_BYTES + (isAscii ? text.length : 2 * text.length)
}

/** Webhooks of one topic; a wallet has one push server. */
export const WEBHOOKS_PER_TOPIC = 4

/** Webhooks that nobody registered again for this long are forgotten. */
export const WEBHOOK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000
