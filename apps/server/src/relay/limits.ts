const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
const DAY_MS = 24 * 60 * 60 * 1000
const QUEUED_MESSAGES = 256

/** The relay's limits per topic, connection, network and node; the unit is in the name. */
export interface RelayLimits {
  /** The maximum frame size; beyond it the connection is closed with 1009. */
  readonly frameBytes: number
  /** Counted per frame in addition to its bytes, because ten thousand empty frames take as long as megabytes. */
  readonly frameCostBytes: number
  /** The maximum number of fragments per message; beyond it the connection is closed with 1008. */
  readonly fragmentsPerMessage: number
  /** The maximum number of chunks in which a frame may arrive; beyond it the connection is closed with 1008. */
  readonly piecesPerFrame: number
  /** How much may arrive on a connection before a message is complete, control frames included. */
  readonly unfinishedBytes: number
  /** How long a message may take from its first to its last byte. */
  readonly unfinishedMs: number
  /** The total of all incomplete messages on a node. */
  readonly unfinishedBytesPerNode: number
  /** Control frames and fragments count as frames. */
  readonly framesPerSecond: number
  /** The burst of frames allowed before `framesPerSecond` applies. */
  readonly framesAtOnce: number
  readonly topicsPerConnection: number
  readonly topicsPerNetwork: number
  readonly connectionsPerTopic: number
  /** How much may be buffered for one slow reader. */
  readonly unreadBytes: number
  readonly queuedMessagesPerTopic: number
  readonly queuedBytesPerTopic: number
  readonly queueLifetimeMs: number
  /** The memory of a node for messages to absent peers, or for an unreachable Redis (`queuedCost`). */
  readonly queuedBytesPerNode: number
  /** How long a message may be acknowledged after its delivery; later it counts as received. */
  readonly unacknowledgedMs: number
  /**
   * How many delivered messages a connection may leave unacknowledged; the oldest then count as received. As many as a topic queues,
   * because a reader gets them all at once and may be stopped before it handles any.
   */
  readonly unacknowledgedMessages: number
  readonly unacknowledgedBytes: number
  readonly unacknowledgedBytesPerNode: number
  readonly connectionsPerNetwork: number
  readonly bytesPerSecondPerNetwork: number
  /** The burst of bytes allowed before `bytesPerSecondPerNetwork` applies. */
  readonly bytesAtOncePerNetwork: number
  /** How much a network may queue for absent peers within `queueLifetimeMs` (`queuedCost`). */
  readonly queuedBytesPerNetwork: number
  /** The maximum number of topics for which a network may register webhooks. */
  readonly webhookTopicsPerNetwork: number
  /** A connection that has not answered the previous ping is terminated at the next. */
  readonly pingEveryMs: number
}

export const RELAY_LIMITS: RelayLimits = {
  frameBytes: 256 * KILOBYTE,
  frameCostBytes: 256,
  fragmentsPerMessage: 64,
  piecesPerFrame: 1024,
  unfinishedBytes: 512 * KILOBYTE,
  unfinishedMs: 30_000,
  unfinishedBytesPerNode: 64 * MEGABYTE,
  framesPerSecond: 100,
  framesAtOnce: 1000,
  topicsPerConnection: 256,
  topicsPerNetwork: 10_000,
  connectionsPerTopic: 32,
  unreadBytes: 2 * MEGABYTE,
  queuedMessagesPerTopic: QUEUED_MESSAGES,
  queuedBytesPerTopic: MEGABYTE,
  queueLifetimeMs: DAY_MS,
  queuedBytesPerNode: 64 * MEGABYTE,
  unacknowledgedMs: 60_000,
  unacknowledgedMessages: QUEUED_MESSAGES,
  unacknowledgedBytes: MEGABYTE,
  unacknowledgedBytesPerNode: 64 * MEGABYTE,
  connectionsPerNetwork: 1000,
  bytesPerSecondPerNetwork: MEGABYTE,
  bytesAtOncePerNetwork: 32 * MEGABYTE,
  queuedBytesPerNetwork: 32 * MEGABYTE,
  webhookTopicsPerNetwork: 200,
  pingEveryMs: 10_000,
}
