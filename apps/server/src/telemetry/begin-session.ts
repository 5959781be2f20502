import { randomUUID } from 'node:crypto'
import type { SessionKey, SessionPayload } from '@portico/contracts/telemetry'
import { maskedParams, maskedReferrer } from '@portico/rules/telemetry-masking'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import type { TelemetryMetrics } from './metrics.ts'

/** Starts telemetry sessions. Each is one visit of a browser. */
export function beginSession({
  stores,
  clock,
  metrics,
}: {
  readonly stores: Pick<Stores, 'telemetry'>
  readonly clock: Clock
  readonly metrics: TelemetryMetrics
}) {
  return async (
    payload: SessionPayload,
    context: {
      readonly trackerUuid: string
      readonly identityId: string | null
      readonly organizationCode: string
      readonly origin: string
    },
  ): Promise<SessionKey> => {
    const { trackerUuid } = context
    const [uuid, epoch] = [randomUUID(), clock()]
    await stores.telemetry.addSession({
      uuid,
      trackerUuid,
      previousUuid: payload.sessionKey?.uuid ?? null,
      identityId: context.identityId,
      organizationCode: context.organizationCode,
      platform: payload.platform,
      libVersion: payload.libVersion,
      appVersion: payload.appVersion,
      referrer: maskedReferrer(payload.referrer, context.origin),
      queryParams: JSON.stringify(maskedParams(Object.entries(payload.queryParams))),
      screenWidth: payload.screenWidth,
      screenHeight: payload.screenHeight,
      windowWidth: payload.windowWidth,
      windowHeight: payload.windowHeight,
      createdAt: epoch,
    })
    metrics.countSession()
    return { uuid, epoch, trackerUuid }
  }
}
