import { maskedParams, maskedPath, maskedProperties } from '@portico/rules/telemetry-masking'
import { openDelivery } from './delivery.ts'
import type { Happened } from './happened.ts'
import { openOutbox } from './outbox.ts'
import { openPause } from './pause.ts'
import type { Platform } from './platform.ts'
import { telemetrySession } from './session.ts'
import type { TelemetrySettings } from './settings.ts'
import { forgetTelemetry } from './stored.ts'

/** What works behind the front door once it is loaded. */
export interface Engine {
  readonly tell: (happened: Happened) => void
  readonly trackingId: () => string | undefined
  readonly flush: () => Promise<void>
}

/** Starts to collect and to send, beginning with what earlier pages left. */
export function startEngine(platform: Platform, settings: TelemetrySettings): Engine {
  const outbox = openOutbox(platform)
  const session = telemetrySession(platform, settings)
  const pause = openPause(platform)
  let refused = false
  const onRefused = () => {
    refused = true
    forgetTelemetry(platform.storage)
  }
  const delivery = openDelivery({ platform, settings, outbox, session, pause, onRefused })
  platform.onLeave(delivery.leave)
  platform.onReturn(() => void delivery.flush())
  void delivery.flush()

  return {
    tell({ pagePath, search, eventProperties, ...happened }) {
      if (refused) return
      session.use()
      const sessionKey = session.current()
      outbox.add({
        ...happened,
        domain: platform.place().hostname,
        queryParams: maskedParams(new URLSearchParams(search)),
        pagePath: maskedPath(pagePath),
        ...(eventProperties === undefined
          ? {}
          : { eventProperties: maskedProperties(eventProperties) }),
        ...(sessionKey === undefined ? {} : { sessionKey }),
      })
      void delivery.flush()
    },
    trackingId: () => session.current()?.uuid,
    flush: delivery.flush,
  }
}
