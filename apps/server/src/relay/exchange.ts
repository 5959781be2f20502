interface Publication {
  readonly topic: string
  /** The frame as it was published. */
  readonly text: string
  /** Whether to return the topic's webhooks. */
  readonly withWebhooks: boolean
}

/** The result of publishing a message. */
export interface PublishResult {
  /**
   * Delivered to readers, queued for later readers, refused because the topic's queue is full, or refused because the
   * relay is full.
   */
  readonly outcome: 'delivered' | 'queued' | 'queue-full' | 'relay-full'
  readonly webhooks: readonly string[]
  /** The bytes by which the queued message counts; 0 if it is not queued. */
  readonly cost: number
}

/** A message with what its exchange needs to queue it again. */
export interface Message {
  readonly text: string
  /** Its position among the messages of its topic. */
  readonly at: number
  readonly expiresAt: number
  /** The message with its id, as several nodes exchange it; empty in process. */
  readonly stored: string
}

/** Sends a message to this node's connections that are subscribed to its topic; returns whether there were any. */
type Deliver = (topic: string, message: Message) => boolean

/**
 * Delivers messages to readers and queues them for absent ones, in this process or through Redis for several nodes. It
 * deals with topics and texts, not with connections.
 */
export interface Exchange {
  /** Publishes a message and reports the result to `onResult`. */
  readonly publish: (publication: Publication, onResult: (result: PublishResult) => void) => void
  /** Called when a topic gets its first reader on this node: delivers queued messages, oldest first, then new ones. */
  readonly listen: (topic: string) => void
  /** Called when a topic has no reader left on this node. */
  readonly leave: (topic: string) => void
  /**
   * Returns messages, oldest first, that this node has delivered to readers that were lost before they acknowledged them:
   * they go to the topic's present readers or back to their original position in its queue (`onQueued`).
   */
  readonly requeue: (
    topic: string,
    messages: readonly Message[],
    onQueued: (message: Message) => void,
  ) => void
  /** Registers a webhook for a topic; returns whether the limits allow it. */
  readonly addWebhook: (webhook: Webhook) => Promise<boolean>
  /** The number of topics with queued messages. */
  readonly waiting: () => Promise<number>
  /** Removes expired messages and webhooks. */
  readonly sweep: () => void
  readonly ready: () => Promise<boolean>
  readonly close: () => Promise<void>
}

/** A webhook and the network that registers it. */
interface Webhook {
  readonly topic: string
  readonly url: string
  readonly network: string
}

/** Opens an exchange that delivers to a relay. */
export type OpenExchange = (deliver: Deliver) => Exchange

/** Measured with one message per topic, the worst case: the topic, its queue and the entry itself. */
const QUEUED_OVERHEAD_BYTES = 1024

/** The memory of a queued message in bytes. Text that is not plain ASCII takes two bytes per character. */
export function queuedCost(text: string): number {
  const isAscii = Buffer.byteLength(text) === text.length
  return QUEUED_OVERHEAD_BYTES + (isAscii ? text.length : 2 * text.length)
}

/** The maximum number of webhooks per topic. A wallet has one push server. */
export const WEBHOOKS_PER_TOPIC = 4

/** Webhooks expire after this time unless they are registered again. */
export const WEBHOOK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000
