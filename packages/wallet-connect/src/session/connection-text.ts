/** Names of connection events, for pages that match on them. */
export const CONNECTOR_EVENTS = {
  connect: 'connect',
  disconnect: 'disconnect',
  session_request: 'session_request',
  session_update: 'session_update',
  call_request: 'call_request',
  wc_sessionRequest: 'wc_sessionRequest',
  wc_sessionUpdate: 'wc_sessionUpdate',
} as const

/** The disconnect reason of an expired session (§4.1). */
export const CONNECTION_EXPIRED = 'Connection Expired'

/** The connection types of `FWC_CONNECTED` and `FWC_SESSION_UPDATED`. */
export const CONNECTION_TYPES = {
  existing_session: 'existing session',
  new_session: 'new session',
} as const

/** Whether a connection is new or restored. */
export type ConnectionType = (typeof CONNECTION_TYPES)[keyof typeof CONNECTION_TYPES]
