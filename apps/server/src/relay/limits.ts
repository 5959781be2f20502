const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
const DAY_MS = 24 * 60 * 60 * 1000

/** What the relay takes from one topic, one connection and one network; the unit is in the name. */
export interface RelayLimits {
  /** The largest frame; above it a connection is closed with 1009. */
  readonly frameBytes: number
  readonly framesPerSecond: number
  /** Frames a connection may send at once before `framesPerSecond` holds. */
  readonly framesAtOnce: number
  readonly topicsPerConnection: number
  readonly connectionsPerTopic: number
  /** What may wait to be read by one connection. */
  readonly unreadBytes: number
  readonly queuedMessagesPerTopic: number
  readonly queuedBytesPerTopic: number
  readonly queueLifetimeMs: number
  /** What a node keeps in its own memory for absent peers, or for a Redis that is gone. */
  readonly queuedBytesPerNode: number
  readonly connectionsPerNetwork: number
  readonly bytesPerSecondPerNetwork: number
  /** Bytes a network may send at once before `bytesPerSecondPerNetwork` holds. */
  readonly bytesAtOncePerNetwork: number
  /** Bytes a network may leave behind for absent peers in `queueLifetimeMs`. */
  readonly queuedBytesPerNetwork: number
  /** A connection that has not answered the ping before is ended at the next. */
  readonly pingEveryMs: number
}

/** The limits in service. */
export const RELAY_LIMITS: RelayLimits = {
  frameBytes: 256 * KILOBYTE,
  framesPerSecond: 100,
  framesAtOnce: 1000,
  topicsPerConnection: 256,
  connectionsPerTopic: 32,
  unreadBytes: 2 * MEGABYTE,
  queuedMessagesPerTopic: 256,
  queuedBytesPerTopic: MEGABYTE,
  queueLifetimeMs: DAY_MS,
  queuedBytesPerNode: 64 * MEGABYTE,
  connectionsPerNetwork: 1000,
  bytesPerSecondPerNetwork: MEGABYTE,
  bytesAtOncePerNetwork: 32 * MEGABYTE,
  queuedBytesPerNetwork: 32 * MEGABYTE,
  pingEveryMs: 10_000,
}
