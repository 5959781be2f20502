/**
 * The messages that connections have received but not acknowledged yet, so that those of a reader that was stopped before
 * it handled them are queued again. An acknowledgement stands for its topic's oldest message on its connection. Only
 * connections that have sent one count; for any other client, a delivered message is a received one.
 */
import type { Clock } from '../clock.ts'
import type { Message } from './exchange.ts'
import type { RelayLimits } from './limits.ts'

/** A message on its way to one or more connections. */
interface Delivery {
  readonly topic: string
  readonly cost: number
  readonly expiresAt: number
  /** Absent once a reader has acknowledged it, or once it counts as received. */
  message: Message | undefined
  /** How many connections have received it and may still acknowledge it. */
  holders: number
}

/** What a connection has received. */
export interface Inbox {
  /**
   * The topics that it reads, each with the number of its oldest messages that are not in `deliveries` but that may still
   * be acknowledged.
   */
  readonly topics: Map<string, number>
  /** Oldest first. */
  readonly deliveries: Delivery[]
  /** The cost of `deliveries`. */
  unacknowledgedBytes: number
  acknowledges: boolean
}

/** The memory of a message besides its text, with its entries in the sets. */
const OVERHEAD_BYTES = 512

type Limits = Pick<
  RelayLimits,
  | 'unacknowledgedBytes'
  | 'unacknowledgedBytesPerNode'
  | 'unacknowledgedMessages'
  | 'unacknowledgedMs'
>

export function unacknowledgedMessages(limits: Limits, clock: Clock) {
  /** The deliveries that may still be repeated, oldest first. */
  const repeatable = new Set<Delivery>()
  let bytes = 0

  /** Ends that a delivery may be repeated, and frees its message. */
  function settle(delivery: Delivery): void {
    delivery.message = undefined
    if (repeatable.delete(delivery)) bytes -= delivery.cost
  }

  function settleOld(): void {
    const now = clock()
    for (const delivery of repeatable) {
      if (delivery.expiresAt > now && bytes <= limits.unacknowledgedBytesPerNode) return
      settle(delivery)
    }
  }

  function countUntracked(inbox: Inbox, topic: string): void {
    inbox.topics.set(topic, (inbox.topics.get(topic) ?? 0) + 1)
  }

  function hold(inbox: Inbox, delivery: Delivery): void {
    delivery.holders += 1
    inbox.deliveries.push(delivery)
    inbox.unacknowledgedBytes += delivery.cost
    while (
      inbox.deliveries.length > limits.unacknowledgedMessages ||
      inbox.unacknowledgedBytes > limits.unacknowledgedBytes
    ) {
      const [oldest] = inbox.deliveries.splice(0, 1)
      if (oldest === undefined) return
      inbox.unacknowledgedBytes -= oldest.cost
      settle(oldest)
      countUntracked(inbox, oldest.topic)
    }
  }

  return {
    /** Counts a message that was sent to connections, at least one. */
    add(topic: string, message: Message, receivers: readonly Inbox[]): void {
      const acknowledging = receivers.filter(({ acknowledges }) => acknowledges)
      for (const inbox of receivers) if (!inbox.acknowledges) countUntracked(inbox, topic)
      if (acknowledging.length === 0) return
      const delivery: Delivery = {
        topic,
        cost: OVERHEAD_BYTES + 2 * message.text.length,
        expiresAt: clock() + limits.unacknowledgedMs,
        message,
        holders: 0,
      }
      repeatable.add(delivery)
      bytes += delivery.cost
      for (const inbox of acknowledging) hold(inbox, delivery)
      if (acknowledging.length < receivers.length) settle(delivery)
      settleOld()
    },

    acknowledge(inbox: Inbox, topic: string): void {
      inbox.acknowledges = true
      const untracked = inbox.topics.get(topic)
      if (untracked === undefined) return
      if (untracked > 0) return void inbox.topics.set(topic, untracked - 1)
      const index = inbox.deliveries.findIndex((each) => each.topic === topic)
      const [acknowledged] = index === -1 ? [] : inbox.deliveries.splice(index, 1)
      if (acknowledged === undefined) return
      inbox.unacknowledgedBytes -= acknowledged.cost
      settle(acknowledged)
    },

    /** Ends a subscription; returns the messages that no reader has acknowledged or may acknowledge, oldest first. */
    leave(inbox: Inbox, topic: string): Message[] {
      inbox.topics.delete(topic)
      const lost: Message[] = []
      if (inbox.deliveries.length === 0) return lost
      const now = clock()
      for (const delivery of inbox.deliveries.filter((each) => each.topic === topic)) {
        inbox.deliveries.splice(inbox.deliveries.indexOf(delivery), 1)
        inbox.unacknowledgedBytes -= delivery.cost
        delivery.holders -= 1
        const { message } = delivery
        if (message === undefined || delivery.holders > 0) continue
        settle(delivery)
        if (delivery.expiresAt > now) lost.push(message)
      }
      return lost
    },

    sweep: settleOld,
  }
}
