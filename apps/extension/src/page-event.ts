/** What a page may send to the extension (protocol 13). The page may be hostile, so only these fields are read. */

/** Longer than any connection URI with all its options, encoded twice. */
export const MAX_URI_LENGTH = 8192

export const MAX_TIMEOUT_MS = 7 * 86_400_000

/** The events of protocol 13, and the message of §4.1 that restarts the connection. */
export const PAGE_EVENT_NAMES = [
  'walletconnect_init',
  'walletconnect_connect',
  'walletconnect_session_update',
  'walletconnect_event',
  'resetConnectionTimeout',
  'walletconnect_disconnect',
  'reinitConnection',
] as const

/** The worker's response to an event, as soon as nothing is lost if the browser stops it. */
export const ACKNOWLEDGED = 'acknowledged'

/** A page's event as the content script forwards it. */
export interface PageEvent {
  readonly event: (typeof PAGE_EVENT_NAMES)[number]
  /** Plain or encoded. */
  readonly uri?: string
  /** The connection's new timeout. */
  readonly timeoutMs?: number
}

/** The documented fields of an event's detail, if the event is known and they are of their type and size. */
export function readPageEvent(detail: unknown): PageEvent | undefined {
  const event = PAGE_EVENT_NAMES.find((name) => name === fieldOf(detail, 'event'))
  if (event === undefined) return undefined
  const uri = fieldOf(detail, 'uri')
  const data = fieldOf(detail, 'data')
  const isTimeout =
    event === 'resetConnectionTimeout' &&
    typeof data === 'number' &&
    data > 0 &&
    data <= MAX_TIMEOUT_MS
  return {
    event,
    ...(typeof uri === 'string' && uri.length <= MAX_URI_LENGTH && { uri }),
    ...(isTimeout && { timeoutMs: data }),
  }
}

/** Whether a message to the window restarts the connection (§4.1). Its shape is not published, so several are accepted. */
export function isReinitConnection(data: unknown): boolean {
  return [data, ...['type', 'event', 'name'].map((name) => fieldOf(data, name))].includes(
    'reinitConnection',
  )
}

/** Reading may run the page's code (a getter or proxy), which may throw. */
function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}
