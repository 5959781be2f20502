/** A frame as far as the relay looks at it (protocol 3.2); the payload is ciphertext and nobody's business here. */
export interface RelayFrame {
  readonly topic: string
  readonly type: 'pub' | 'sub'
  /** Whether no webhook is called; a missing value is not silent. */
  readonly silent: boolean
}

const TOPIC_LENGTH_MAXIMUM = 128

/**
 * Reads a frame. Acknowledgements and types of other relays' dialects are `ignored`; what is no frame at all is
 * `undefined`.
 */
export function readFrame(text: string): RelayFrame | 'ignored' | undefined {
  const { topic, type, silent } = fieldsOf(text) ?? {}
  if (typeof topic !== 'string' || topic === '' || topic.length > TOPIC_LENGTH_MAXIMUM) {
    return undefined
  }
  if (type !== 'pub' && type !== 'sub') return typeof type === 'string' ? 'ignored' : undefined
  return { topic, type, silent: silent === true }
}

function fieldsOf(text: string): { topic?: unknown; type?: unknown; silent?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // What is no JSON is no frame; the connection stays open (protocol 3.4).
  }
}
