/** What a telemetry client goes by, without the schemas: those would weigh in every page. */

/** The version a telemetry client names itself by (§9). */
export const TELEMETRY_LIBRARY_VERSION = '2.2.24'

/** How often a session is asked for before it is given up (§5, §9). */
export const TELEMETRY_SESSION_TRIES = 3

/** The header that names an event, so that one which is sent twice, because its answer was lost, is stored once. */
export const EVENT_ID_HEADER = 'idempotency-key'

/** Who sends: anybody, or somebody who may be signed in; the identity is then the session cookie's. */
export const TELEMETRY_CONTEXTS = ['external', 'internal'] as const

/** One of them; it stands in the calls' paths. */
export type TelemetryContext = (typeof TELEMETRY_CONTEXTS)[number]

/** Where sessions are begun and events sent (§7.8). */
export function telemetryPath(context: TelemetryContext, what: 'session' | 'event'): string {
  return `/ft/${context}/${what}`
}
