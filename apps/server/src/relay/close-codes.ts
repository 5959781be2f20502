/** The relay's close codes, documented in docs/operations.md for developers of pages and wallets. */
export const CLOSE_CODES = {
  /** The node is shutting down; clients reconnect to another. */
  stopping: 1001,
  /** The relay is out of memory for messages, or Redis has been unreachable for too long. */
  'relay-full': 1013,
  'too-many-frames': 4001,
  'too-many-topics': 4002,
  'topic-crowded': 4003,
  /** Too many messages are queued for the absent peer. */
  'queue-full': 4004,
  'network-connections': 4005,
  'network-traffic': 4006,
  /** The network has queued too many messages for absent peers. */
  'network-queued': 4007,
  /** A message was not completed in time, or too much data arrived before it was complete. */
  'message-unfinished': 4008,
  'network-topics': 4009,
} as const

export type CloseReason = keyof typeof CLOSE_CODES
