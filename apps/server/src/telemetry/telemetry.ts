import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { EventPayload, SessionKey, SessionPayload } from '@portico/contracts/telemetry'
import {
  maskedParams,
  maskedPath,
  maskedProperties,
  maskedReferrer,
} from '@portico/rules/telemetry-masking'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import { eventId } from './event-id.ts'
import type { TelemetryMetrics } from './metrics.ts'

export interface TelemetryDeps {
  readonly stores: Pick<Stores, 'telemetry'>
  readonly clock: Clock
  readonly metrics: TelemetryMetrics
}

/** The sender of an event, as the server determines it; none of it comes from the payload. */
export interface Sender {
  readonly identityId: string | null
  readonly organizationCode: string
  /** The origin of the page. */
  readonly origin: string
}

/** Starts a telemetry session: one visit of a browser. What the client left unmasked is masked here. */
export async function startSession(
  { stores, clock, metrics }: TelemetryDeps,
  payload: SessionPayload,
  { identityId, organizationCode, origin, trackerUuid }: Sender & { readonly trackerUuid: string },
): Promise<SessionKey> {
  const { platform, libVersion, appVersion, screenWidth, screenHeight, windowWidth, windowHeight } =
    payload
  const [uuid, epoch] = [randomUUID(), clock()]
  await stores.telemetry.insertSession({
    uuid,
    trackerUuid,
    previousUuid: payload.sessionKey?.uuid ?? null,
    identityId,
    organizationCode,
    platform,
    libVersion,
    appVersion,
    referrer: maskedReferrer(payload.referrer, origin),
    queryParams: JSON.stringify(maskedParams(Object.entries(payload.queryParams))),
    screenWidth,
    screenHeight,
    windowWidth,
    windowHeight,
    createdAt: epoch,
  })
  metrics.countSession()
  return { uuid, epoch, trackerUuid }
}

/** Stores an event once. What the client left unmasked is masked here. `sendingId` identifies the request and its retries. */
export async function recordEvent(
  { stores, clock, metrics }: TelemetryDeps,
  payload: EventPayload,
  { identityId, organizationCode, origin, sendingId }: Sender & { readonly sendingId: string },
): Promise<void> {
  if (!(await stores.telemetry.sessionExists(payload.sessionKey.uuid))) {
    throw new Refusal('telemetry-session-unknown')
  }
  const event = {
    ...payload,
    queryParams: maskedParams(Object.entries(payload.queryParams)),
    pagePath: maskedPath(payload.pagePath),
    eventProperties: maskedProperties(payload.eventProperties ?? {}),
  }
  const isNew = await stores.telemetry.insertEvent({
    id: eventId(event, sendingId),
    sessionUuid: event.sessionKey.uuid,
    identityId,
    organizationCode,
    event: event.event,
    eventType: event.eventType,
    productType: event.productType ?? null,
    applicationUuid: event.applicationUuid ?? null,
    domain: new URL(origin).hostname,
    pagePath: event.pagePath,
    queryParams: JSON.stringify(event.queryParams),
    eventProperties: JSON.stringify(event.eventProperties),
    createdAt: clock(),
  })
  metrics.countEvent(isNew ? 'stored' : 'deduped')
}
