const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
const DAY_MS = 24 * 60 * 60 * 1000

/** What the relay takes from one topic, one connection and one network; the unit is in the name. */
export interface RelayLimits {
  /** The largest frame; above it a connection is closed with 1009. */
  readonly frameBytes: number
  /** What a frame costs its network beside its bytes: reading ten thousand empty ones takes as long as megabytes. */
  readonly frameCostBytes: number
  /** Fragments of one message; above it a connection is closed with 1008. */
  readonly fragmentsPerMessage: number
  /** Pieces in which one frame may arrive; above it a connection is closed with 1008. */
  readonly piecesPerFrame: number
  /** What may arrive on a connection between the beginning and the end of a message, control frames included. */
  readonly unfinishedBytes: number
  /** How long a message may take from its first byte to its last. */
  readonly unfinishedMs: number
  /** What all unfinished messages of a node may take. */
  readonly unfinishedBytesPerNode: number
  /** Control frames and fragments count like messages. */
  readonly framesPerSecond: number
  /** Frames a connection may send at once before `framesPerSecond` holds. */
  readonly framesAtOnce: number
  readonly topicsPerConnection: number
  readonly topicsPerNetwork: number
  readonly connectionsPerTopic: number
  /** What may wait to be read by one connection. */
  readonly unreadBytes: number
  readonly queuedMessagesPerTopic: number
  readonly queuedBytesPerTopic: number
  readonly queueLifetimeMs: number
  /** What a node keeps in its own memory for absent peers, or for a Redis that is gone, counted as it is kept. */
  readonly queuedBytesPerNode: number
  readonly connectionsPerNetwork: number
  readonly bytesPerSecondPerNetwork: number
  /** Bytes a network may send at once before `bytesPerSecondPerNetwork` holds. */
  readonly bytesAtOncePerNetwork: number
  /** Bytes a network may leave behind for absent peers in `queueLifetimeMs`, counted as they are kept (`queuedCost`). */
  readonly queuedBytesPerNetwork: number
  /** Topics for which a network may have webhooks registered. */
  readonly webhookTopicsPerNetwork: number
  /** A connection that has not answered the ping before is ended at the next. */
  readonly pingEveryMs: number
}

/** The limits in service. */
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
  queuedMessagesPerTopic: 256,
  queuedBytesPerTopic: MEGABYTE,
  queueLifetimeMs: DAY_MS,
  queuedBytesPerNode: 64 * MEGABYTE,
  connectionsPerNetwork: 1000,
  bytesPerSecondPerNetwork: MEGABYTE,
  bytesAtOncePerNetwork: 32 * MEGABYTE,
  queuedBytesPerNetwork: 32 * MEGABYTE,
  webhookTopicsPerNetwork: 200,
  pingEveryMs: 10_000,
}
