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
  readonly addWebhook: (topic: string, url: string) => Promise<boolean>
  /** Topics for which messages wait. */
  readonly waiting: () => Promise<number>
  /** Forgets what is too old. */
  readonly sweep: () => void
  readonly ready: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** Opens an exchange that delivers to a relay. */
export type OpenExchange = (deliver: Deliver) => Exchange

/** Webhooks of one topic; a wallet has one push server. */
export const WEBHOOKS_PER_TOPIC = 4

/** Webhooks that nobody registered again for this long are forgotten. */
export const WEBHOOK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000
