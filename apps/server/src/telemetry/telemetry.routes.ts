import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { beginTelemetrySession, sendTelemetryEvent } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, TELEMETRY_CONTEXTS } from '@portico/contracts/telemetry-wire'
import { Uuid } from '@portico/contracts/text'
import type { Clock } from '../clock.ts'
import { type Edge, enforceRateLimit, type RateLimitRule, serve } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AllStores } from '../stores.ts'
import { beginSession } from './begin-session.ts'
import type { TelemetryMetrics } from './metrics.ts'
import { recordEvent } from './record-event.ts'

const MINUTE_MS = 60_000
/** An office behind one address has room, a flood has not. */
const SESSIONS: RateLimitRule = { allowed: 300, windowMs: MINUTE_MS }
const EVENTS: RateLimitRule = { allowed: 3000, windowMs: MINUTE_MS }
/** A person in one visit causes a few events a second at most. */
const SESSION_EVENTS: RateLimitRule = { allowed: 300, windowMs: MINUTE_MS }
const DAY_MS = 24 * 60 * MINUTE_MS
const MEGABYTE = 1_000_000
/** What one network may have stored in a day. */
const NETWORK_BYTES: RateLimitRule = { allowed: 50 * MEGABYTE, windowMs: DAY_MS }
/** What a row takes beside what it says: names, times and indexes. */
const ROW_BYTES = 400

/**
 * The telemetry calls of §7.8. Who refuses tracking is not counted, whatever the page sends. Whose events they are is
 * what the session's cookie says, and only where the call is made in the name of a signed-in person.
 */
export function telemetry(
  edge: Edge,
  deps: {
    readonly stores: AllStores
    readonly clock: Clock
    readonly metrics: TelemetryMetrics
    /** What all networks together may have stored in a day. */
    readonly megabytesPerDay: number
  },
): void {
  const begin = beginSession(deps)
  const take = recordEvent(deps)

  const identityOf = async (visitor: Visitor) =>
    (await edge.sessions.ofCookie(visitor.sessionCookie))?.identityId ?? null

  const allBytes: RateLimitRule = { allowed: deps.megabytesPerDay * MEGABYTE, windowMs: DAY_MS }

  /** Anyone may call, so what is stored is bounded by its size. */
  async function countBytes(body: object, { network }: Visitor): Promise<void> {
    const bytes = ROW_BYTES + JSON.stringify(body).length
    await enforceRateLimit(edge.rateLimit, `telemetry bytes ${network}`, NETWORK_BYTES, bytes)
    await enforceRateLimit(edge.rateLimit, 'telemetry bytes', allBytes, bytes)
  }

  void edge.app.register(async (scope) => {
    scope.addHook('onResponse', async (_request, { statusCode }) => {
      if (statusCode >= 400) deps.metrics.countRefusal(statusCode)
    })
    const here = { ...edge, app: scope }
    for (const context of TELEMETRY_CONTEXTS) {
      const isInternal = context === 'internal'
      serve(
        here,
        beginTelemetrySession[context],
        async ({ body, visitor, tracker }) => {
          const found = tracker()
          if (found === undefined) throw new Refusal('tracking-refused')
          await countBytes(body, visitor)
          const sessionKey = await begin(body, {
            trackerUuid: found.uuid,
            identityId: isInternal ? await identityOf(visitor) : null,
            organizationCode: visitor.organization.orgCode,
            origin: visitor.origin,
          })
          return { sessionKey, trackerUuid: sessionKey.trackerUuid }
        },
        SESSIONS,
      )
      serve(
        here,
        sendTelemetryEvent[context],
        async ({ body, visitor, headers, tracker }) => {
          if (tracker() === undefined) throw new Refusal('tracking-refused')
          const { uuid } = body.sessionKey
          await enforceRateLimit(edge.rateLimit, `telemetry session ${uuid}`, SESSION_EVENTS)
          await countBytes(body, visitor)
          const sending = Uuid.safeParse(headers[EVENT_ID_HEADER])
          await take({
            event: body,
            sending: sending.success ? sending.data : randomUUID(),
            domain: new URL(visitor.origin).hostname,
            identityId: isInternal ? await identityOf(visitor) : null,
            organizationCode: visitor.organization.orgCode,
          })
        },
        EVENTS,
      )
    }
  })
}
