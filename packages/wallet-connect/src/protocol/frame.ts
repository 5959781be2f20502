/** Relay frames (protocol 3.2): a topic, an operation, and a payload the relay cannot read. */
import { fieldsOf } from './fields.ts'

/** One text message between a client and the relay. */
export interface Frame {
  readonly topic: string
  readonly type: FrameType
  readonly payload: string
  /** Whether the relay must not send a push notification. */
  readonly silent: boolean
}

const FRAME_TYPES = ['pub', 'sub', 'ack'] as const

/** The operation: publish, subscribe or acknowledge. */
export type FrameType = (typeof FRAME_TYPES)[number]

/** Parses a frame. Some wallets omit `silent` and `payload`, and relays may add fields, which are ignored. */
export function parseFrame(text: string): Frame | undefined {
  const { topic, type, payload = '', silent = false } = fieldsOf(text)
  const known = FRAME_TYPES.find((each) => each === type)
  if (typeof topic !== 'string' || topic === '' || known === undefined) return undefined
  if (typeof payload !== 'string') return undefined
  return { topic, type: known, payload, silent: silent === true }
}

/** Serializes a frame, always with all four fields, as the public page library does. */
export function formatFrame({ topic, type, payload, silent }: Frame): string {
  return JSON.stringify({ topic, type, payload, silent })
}
