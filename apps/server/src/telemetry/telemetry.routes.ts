import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { beginTelemetrySession, sendTelemetryEvent } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, TELEMETRY_CONTEXTS } from '@portico/contracts/telemetry-wire'
import { Uuid } from '@portico/contracts/text'
import { type Edge, enforceRateLimit, type RateLimitRule, serve } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import { recordEvent, type Sender, startSession, type TelemetryDeps } from './telemetry.ts'

const MINUTE_MS = 60_000
/** Allows an office behind one address but stops a flood. */
const SESSION_RATE_LIMIT: RateLimitRule = { allowed: 300, windowMs: MINUTE_MS }
const EVENT_RATE_LIMIT: RateLimitRule = { allowed: 3000, windowMs: MINUTE_MS }
/** A single visit causes at most a few events per second. */
const EVENTS_PER_SESSION: RateLimitRule = { allowed: 300, windowMs: MINUTE_MS }
const DAY_MS = 24 * 60 * MINUTE_MS
const MEGABYTE = 1_000_000
/** How much one network may store per day. */
const BYTES_PER_NETWORK: RateLimitRule = { allowed: 50 * MEGABYTE, windowMs: DAY_MS }
/** The overhead of a row: ids, times and indexes. */
const ROW_BYTES = 400

/**
 * Routes for the telemetry calls of §7.8. Visitors who refuse tracking are not counted, regardless of what the page sends.
 * The identity comes from the session cookie, and only for internal calls.
 */
export function telemetry(
  edge: Edge,
  deps: TelemetryDeps & {
    /** How much all networks together may store per day. */
    readonly megabytesPerDay: number
  },
): void {
  async function identityOf({ sessionCookie }: Visitor): Promise<string | null> {
    return (await edge.sessions.ofCookie(sessionCookie))?.identityId ?? null
  }

  const allBytes: RateLimitRule = { allowed: deps.megabytesPerDay * MEGABYTE, windowMs: DAY_MS }

  /** Anyone may call, so the stored size is limited. */
  async function countBytes(body: object, { network }: Visitor): Promise<void> {
    const bytes = ROW_BYTES + JSON.stringify(body).length
    await enforceRateLimit(edge.rateLimit, `telemetry bytes ${network}`, BYTES_PER_NETWORK, bytes)
    await enforceRateLimit(edge.rateLimit, 'telemetry bytes', allBytes, bytes)
  }

  void edge.app.register(async (scope) => {
    scope.addHook('onResponse', async (_request, { statusCode }) => {
      if (statusCode >= 400) deps.metrics.countRefusal(statusCode)
    })
    const scopedEdge = { ...edge, app: scope }
    for (const context of TELEMETRY_CONTEXTS) {
      const senderOf = async (visitor: Visitor): Promise<Sender> => ({
        identityId: context === 'internal' ? await identityOf(visitor) : null,
        organizationCode: visitor.organization.orgCode,
        origin: visitor.origin,
      })
      serve(
        scopedEdge,
        beginTelemetrySession[context],
        async ({ body, visitor, tracker }) => {
          const visitorTracker = tracker()
          if (visitorTracker === undefined) throw new Refusal('tracking-refused')
          await countBytes(body, visitor)
          const sessionKey = await startSession(deps, body, {
            ...(await senderOf(visitor)),
            trackerUuid: visitorTracker.uuid,
          })
          return { sessionKey, trackerUuid: sessionKey.trackerUuid }
        },
        SESSION_RATE_LIMIT,
      )
      serve(
        scopedEdge,
        sendTelemetryEvent[context],
        async ({ body, visitor, headers, tracker }) => {
          if (tracker() === undefined) throw new Refusal('tracking-refused')
          const { uuid } = body.sessionKey
          await enforceRateLimit(edge.rateLimit, `telemetry session ${uuid}`, EVENTS_PER_SESSION)
          await countBytes(body, visitor)
          await recordEvent(deps, body, {
            ...(await senderOf(visitor)),
            sendingId: Uuid.safeParse(headers[EVENT_ID_HEADER]).data ?? randomUUID(),
          })
        },
        EVENT_RATE_LIMIT,
      )
    }
  })
}
