/**
 * The messages that connections have received but not acknowledged yet, so that those of a reader that was stopped before
 * it handled them are queued again. An acknowledgement stands for its topic's oldest message on its connection. Only
 * connections that have sent one count; for any other client, a delivered message is a received one.
 */
import type { Clock } from '../clock.ts'
import type { Message } from './exchange.ts'
import type { RelayLimits } from './limits.ts'

/** The deliveries to a network that may still be repeated. */
interface Share {
  /** Oldest first. */
  readonly repeatable: Set<Delivery>
  bytes: number
}

/** A message on its way to one or more connections. */
interface Delivery {
  /** The network of the first of them. */
  readonly network: object
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
  /** The budget of its network, which all its connections have in common. */
  readonly budget: object
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

/** The memory of a message in addition to its text, with its entries in the sets. */
const OVERHEAD_BYTES = 512

type Limits = Pick<
  RelayLimits,
  | 'unacknowledgedBytes'
  | 'unacknowledgedBytesPerNode'
  | 'unacknowledgedMessages'
  | 'unacknowledgedMs'
>

export function unacknowledgedMessages(limits: Limits, clock: Clock) {
  /** By network. */
  const shares = new Map<object, Share>()
  let bytes = 0

  function count(delivery: Delivery): void {
    const { network, cost } = delivery
    const share = shares.get(network) ?? { repeatable: new Set(), bytes: 0 }
    shares.set(network, share)
    share.repeatable.add(delivery)
    share.bytes += cost
    bytes += cost
  }

  /** Ends that a delivery may be repeated, and frees its message. */
  function settle(delivery: Delivery): void {
    const { network, cost } = delivery
    delivery.message = undefined
    const share = shares.get(network)
    if (share === undefined || !share.repeatable.delete(delivery)) return
    share.bytes -= cost
    bytes -= cost
    if (share.repeatable.size === 0) shares.delete(network)
  }

  function settleExpired(): void {
    const now = clock()
    for (const { repeatable } of shares.values()) {
      for (const delivery of repeatable) {
        if (delivery.expiresAt > now) break
        settle(delivery)
      }
    }
  }

  /** Settles the oldest deliveries to the network with the most, so that no network displaces the messages of others. */
  function makeRoom(): void {
    if (bytes > limits.unacknowledgedBytesPerNode) settleExpired()
    while (bytes > limits.unacknowledgedBytesPerNode) {
      const [first, ...others] = shares.values()
      if (first === undefined) return
      const largest = others.reduce((most, each) => (each.bytes > most.bytes ? each : most), first)
      const [oldest] = largest.repeatable
      if (oldest === undefined) return
      settle(oldest)
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
      const [first] = acknowledging
      if (first === undefined) return
      const delivery: Delivery = {
        network: first.budget,
        topic,
        cost: OVERHEAD_BYTES + 2 * message.text.length,
        expiresAt: clock() + limits.unacknowledgedMs,
        message,
        holders: 0,
      }
      count(delivery)
      for (const inbox of acknowledging) hold(inbox, delivery)
      if (acknowledging.length < receivers.length) settle(delivery)
      makeRoom()
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

    sweep: settleExpired,
  }
}
