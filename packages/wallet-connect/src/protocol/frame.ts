/**
 * The frame that goes to and from the relay (protocol 3.2): a topic, what to do with it, and a payload the relay
 * cannot read.
 */
import { fieldsOf } from './fields.ts'

/** One text message between a peer and the relay. */
export interface Frame {
  readonly topic: string
  readonly type: FrameType
  readonly payload: string
  /** Whether the relay is to wake nobody by a push message. */
  readonly silent: boolean
}

const FRAME_TYPES = ['pub', 'sub', 'ack'] as const

/** Publish, subscribe, acknowledge. */
export type FrameType = (typeof FRAME_TYPES)[number]

/** Reads a frame. Unknown fields are ignored; some wallets leave out `silent` and `payload`, and relays may add fields. */
export function parseFrame(text: string): Frame | undefined {
  const { topic, type, payload = '', silent = false } = fieldsOf(text)
  const known = FRAME_TYPES.find((each) => each === type)
  if (typeof topic !== 'string' || topic === '' || known === undefined) return undefined
  if (typeof payload !== 'string') return undefined
  return { topic, type: known, payload, silent: silent === true }
}

/** Writes a frame, always with all four fields, as the public page library does. */
export function formatFrame({ topic, type, payload, silent }: Frame): string {
  return JSON.stringify({ topic, type, payload, silent })
}
