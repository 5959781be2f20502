/** The constants of a telemetry client, without the schemas, which would make every page larger. */

/** The library version that telemetry clients report (§9). */
export const TELEMETRY_LIBRARY_VERSION = '2.2.24'

/** Attempts to start a session before giving up (§5, §9). */
export const TELEMETRY_SESSION_ATTEMPTS = 3

/** The header with an event's ID, so that an event resent after a lost response is stored once. */
export const EVENT_ID_HEADER = 'idempotency-key'

/** The sender: anyone, or a visitor identified by the session cookie if logged in. */
export const TELEMETRY_CONTEXTS = ['external', 'internal'] as const

export type TelemetryContext = (typeof TELEMETRY_CONTEXTS)[number]

/** The paths for starting sessions and sending events (§7.8). */
export function telemetryPath(context: TelemetryContext, resource: 'session' | 'event'): string {
  return `/ft/${context}/${resource}`
}
