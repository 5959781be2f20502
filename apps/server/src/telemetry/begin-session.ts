import { randomUUID } from 'node:crypto'
import type { SessionKey, SessionPayload } from '@portico/contracts/telemetry'
import { maskedParams, maskedReferrer } from '@portico/rules/telemetry-masking'
import type { Clock } from '../clock.ts'
import type { AllStores } from '../stores.ts'
import type { TelemetryMetrics } from './metrics.ts'

/** Begins sessions: visits of a browser, each with a name of its own. */
export function beginSession({
  stores,
  clock,
  metrics,
}: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly metrics: TelemetryMetrics
}) {
  return async (
    told: SessionPayload,
    who: {
      readonly trackerUuid: string
      readonly identityId: string | null
      readonly organizationCode: string
      readonly origin: string
    },
  ): Promise<SessionKey> => {
    const { trackerUuid } = who
    const [uuid, epoch] = [randomUUID(), clock()]
    await stores.telemetry.addSession({
      uuid,
      tracker_uuid: trackerUuid,
      previous_uuid: told.sessionKey?.uuid ?? null,
      identity_id: who.identityId,
      organization_code: who.organizationCode,
      platform: told.platform,
      lib_version: told.libVersion,
      app_version: told.appVersion,
      referrer: maskedReferrer(told.referrer, who.origin),
      query_params: JSON.stringify(maskedParams(Object.entries(told.queryParams))),
      screen_width: told.screenWidth,
      screen_height: told.screenHeight,
      window_width: told.windowWidth,
      window_height: told.windowHeight,
      created_at: epoch,
    })
    metrics.countSession()
    return { uuid, epoch, trackerUuid }
  }
}
