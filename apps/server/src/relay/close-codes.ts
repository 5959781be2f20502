/** Why the relay closes a connection; docs/operations.md tells it to whoever runs a page or a wallet. */
export const CLOSE_CODES = {
  /** The node stops; another one is there. */
  stopping: 1001,
  /** The relay has no room at the moment, or its Redis has been gone for too long. */
  'relay-full': 1013,
  'too-many-frames': 4001,
  'too-many-topics': 4002,
  'topic-crowded': 4003,
  /** Too much waits already for the peer, who is absent. */
  'queue-full': 4004,
  'network-connections': 4005,
  'network-traffic': 4006,
  /** The network has left too much behind for absent peers. */
  'network-queued': 4007,
  /** A message that began has not ended in time, or too much arrived meanwhile. */
  'message-unfinished': 4008,
  'network-topics': 4009,
} as const

/** A reason to close a connection. */
export type CloseReason = keyof typeof CLOSE_CODES
