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
      tracker_uuid: trackerUuid,
      previous_uuid: payload.sessionKey?.uuid ?? null,
      identity_id: context.identityId,
      organization_code: context.organizationCode,
      platform: payload.platform,
      lib_version: payload.libVersion,
      app_version: payload.appVersion,
      referrer: maskedReferrer(payload.referrer, context.origin),
      query_params: JSON.stringify(maskedParams(Object.entries(payload.queryParams))),
      screen_width: payload.screenWidth,
      screen_height: payload.screenHeight,
      window_width: payload.windowWidth,
      window_height: payload.windowHeight,
      created_at: epoch,
    })
    metrics.countSession()
    return { uuid, epoch, trackerUuid }
  }
}
