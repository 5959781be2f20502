import { parseJson } from '@portico/contracts/parse-json'

/** The fields of a frame that the relay reads (protocol 3.2). The payload is ciphertext and not read. */
export interface RelayFrame {
  readonly topic: string
  readonly type: 'pub' | 'sub' | 'ack'
  /** Whether to call no webhook; false if missing. */
  readonly silent: boolean
}

const MAX_TOPIC_LENGTH = 128

/**
 * Parses a frame. Returns `ignored` for types of other relays, and undefined for an invalid frame.
 */
export function readFrame(text: string): RelayFrame | 'ignored' | undefined {
  const { topic, type, silent } = Object(parseJson(text)) as Readonly<Record<string, unknown>>
  if (typeof topic !== 'string' || topic === '' || topic.length > MAX_TOPIC_LENGTH) {
    return undefined
  }
  if (type !== 'pub' && type !== 'sub' && type !== 'ack') {
    return typeof type === 'string' ? 'ignored' : undefined
  }
  return { topic, type, silent: silent === true }
}
