/** Names of what happens on a connection, for pages that match on them. */
export const CONNECTOR_EVENTS = {
  connect: 'connect',
  disconnect: 'disconnect',
  session_request: 'session_request',
  session_update: 'session_update',
  call_request: 'call_request',
  wc_sessionRequest: 'wc_sessionRequest',
  wc_sessionUpdate: 'wc_sessionUpdate',
} as const

/** The reason that an expired session ends with (§4.1). */
export const CONNECTION_EXPIRED = 'Connection Expired'

/** How a connection came about, as `FWC_CONNECTED` and `FWC_SESSION_UPDATED` tell it. */
export const CONNECTION_TYPES = {
  existing_session: 'existing session',
  new_session: 'new session',
} as const

/** New, or one that was there before. */
export type ConnectionType = (typeof CONNECTION_TYPES)[keyof typeof CONNECTION_TYPES]
