import { maskedParams, maskedPath, maskedProperties } from '@portico/rules/telemetry-masking'
import { openDelivery } from './delivery.ts'
import { openOutbox } from './outbox.ts'
import type { PageEvent } from './page-event.ts'
import { openPause } from './pause.ts'
import type { Platform } from './platform.ts'
import { telemetrySession } from './session.ts'
import type { TelemetrySettings } from './settings.ts'
import { clearTelemetry } from './stored.ts'

/** The part of telemetry that is loaded when the page is idle. */
export interface Engine {
  readonly track: (event: PageEvent) => void
  readonly trackingId: () => string | undefined
  readonly flush: () => Promise<void>
}

/** Starts collecting and sending events, beginning with those queued by earlier pages. */
export function startEngine(platform: Platform, settings: TelemetrySettings): Engine {
  const outbox = openOutbox(platform)
  const session = telemetrySession(platform, settings)
  const pause = openPause(platform)
  let refused = false
  const onRefused = () => {
    refused = true
    clearTelemetry(platform.storage)
  }
  const delivery = openDelivery({ platform, settings, outbox, session, pause, onRefused })
  platform.onLeave(delivery.leave)
  platform.onReturn(() => void delivery.flush())
  void delivery.flush()

  return {
    track({ pagePath, search, eventProperties, ...event }) {
      if (refused) return
      session.use()
      const sessionKey = session.current()
      outbox.add({
        ...event,
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
