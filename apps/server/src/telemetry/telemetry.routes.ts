import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import { beginTelemetrySession, sendTelemetryEvent } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, TELEMETRY_CONTEXTS } from '@portico/contracts/telemetry-wire'
import { Uuid } from '@portico/contracts/text'
import type { Clock } from '../clock.ts'
import { type Edge, type Pace, serve } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { AllStores } from '../stores.ts'
import { beginSession } from './begin-session.ts'
import type { TelemetryMetrics } from './metrics.ts'
import { takeEvent } from './take-event.ts'

const MINUTE_MS = 60_000
/** An office behind one address has room, a flood has not. */
const SESSIONS: Pace = { allowed: 300, windowMs: MINUTE_MS }
const EVENTS: Pace = { allowed: 3000, windowMs: MINUTE_MS }

/**
 * The telemetry calls of §7.8. Who refuses tracking is not counted, whatever the page sends. Whose events they are is
 * what the session's cookie says, and only where the call is made in the name of a signed-in person.
 */
export function telemetry(
  edge: Edge,
  needs: {
    readonly stores: AllStores
    readonly clock: Clock
    readonly metrics: TelemetryMetrics
  },
): void {
  const begin = beginSession(needs)
  const take = takeEvent(needs)

  const identityOf = async (visitor: Visitor) =>
    (await edge.sessions.ofCookie(visitor.sessionCookie))?.identityId ?? null

  void edge.app.register(async (scope) => {
    scope.addHook('onResponse', async (_request, { statusCode }) => {
      if (statusCode >= 400) needs.metrics.countRefusal(statusCode)
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
