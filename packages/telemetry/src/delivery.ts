/**
 * Sends what waits, one event after the other and by one tab at a time, so that whatever else the page asks finds a
 * connection. An event leaves the outbox when the server has answered for it; what could not be sent stays.
 */
import type { EventPayload, SessionKey } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, telemetryPath } from '@portico/contracts/telemetry-wire'
import type { Outbox, WaitingEvent } from './outbox.ts'
import type { Pause } from './pause.ts'
import type { Platform } from './platform.ts'
import type { TelemetrySession } from './session.ts'
import type { TelemetrySettings } from './settings.ts'
import { apiErrorIn, TelemetryError } from './telemetry-error.ts'

/** Refusals that say nothing about the event itself. */
const PASSING = new Set([404, 408, 409, 429])
/** A server that forgets its own sessions is not asked for ever. */
const UNKNOWN_SESSIONS_MAXIMUM = 3

/** Sends events. */
export interface Delivery {
  /** Sends what waits; ends when it is sent, or when nothing can be sent for now. */
  readonly flush: () => Promise<void>
  /** Sends what waits while the page is being left: the requests outlive it, their answers may not. */
  readonly leave: () => void
}

/** Opens the delivery of a page. */
export function openDelivery(deps: {
  readonly platform: Platform
  readonly settings: TelemetrySettings
  readonly outbox: Outbox
  readonly session: TelemetrySession
  readonly pause: Pause
  /** Called where the server says that this visitor is not to be counted. */
  readonly onRefused: () => void
}): Delivery {
  const { platform, settings, outbox, session, pause, onRefused } = deps
  const underWay = new Set<string>()
  let flushing: Promise<void> | undefined
  let again = false
  let waiting = false
  let refused = false
  let unknownSessions = 0
  let isLeft = false
  /** The page has made all its tries for a session; it sends nothing unless another tab gets one. */
  let hasGivenUp = false

  const canSend = () =>
    !refused &&
    (!hasGivenUp || session.current() !== undefined) &&
    platform.online() &&
    pause.left() === 0

  async function sendAll(): Promise<void> {
    try {
      do {
        again = false
        await sendOnce()
      } while (again)
    } finally {
      // Here, and not when the promise is settled: whoever comes in between would be forgotten.
      flushing = undefined
    }
  }

  async function sendOnce(): Promise<void> {
    if (outbox.all().length === 0) return
    // The pause may be of an earlier page, or of another tab.
    if (pause.left() > 0) void flushAfterPause()
    if (!canSend()) return
    await platform.alone(async () => {
      for (const event of outbox.all()) {
        if (!canSend()) return
        if (!underWay.has(event.id)) await deliver(event)
      }
    })
  }

  async function deliver(waitingEvent: WaitingEvent): Promise<void> {
    let sessionKey: SessionKey | undefined
    try {
      sessionKey = waitingEvent.event.sessionKey ?? (await session.key())
      await send(waitingEvent, sessionKey)
      unknownSessions = 0
    } catch (error) {
      judge(waitingEvent, sessionKey, error)
    }
  }

  async function send(waitingEvent: WaitingEvent, sessionKey: SessionKey): Promise<void> {
    const { id, event } = waitingEvent
    underWay.add(id)
    if (event.sessionKey === undefined) outbox.assign(waitingEvent, sessionKey)
    try {
      const body: EventPayload = { ...event, sessionKey }
      await platform.post(telemetryPath(settings.context, 'event'), body, {
        headers: { [EVENT_ID_HEADER]: id },
        expect: 'nothing',
      })
      outbox.remove(id)
      pause.end()
    } finally {
      underWay.delete(id)
    }
  }

  function judge(
    waitingEvent: WaitingEvent,
    sessionKey: SessionKey | undefined,
    error: unknown,
  ): void {
    const answer = apiErrorIn(error)
    if (answer?.reason === 'tracking-refused') {
      refused = true
      onRefused()
      return
    }
    if (answer?.reason === 'telemetry-session-unknown') {
      // Of a session that is gone, as after its days: it goes out in the present one, or in another.
      if (session.current()?.uuid === sessionKey?.uuid) session.forget()
      outbox.assign(waitingEvent, undefined)
      unknownSessions += 1
      again = true
      if (unknownSessions < UNKNOWN_SESSIONS_MAXIMUM) return
    }
    if (answer !== undefined && isForGood(answer.status)) {
      outbox.remove(waitingEvent.id)
      return
    }
    // A request that ends with its page says nothing about the server; the next page sends the event again.
    if (isLeft && answer?.status === 0) return
    pause.begin((answer?.retryAfterS ?? 0) * 1000)
    hasGivenUp = error instanceof TelemetryError && error.code === 'session-retries-failed'
    if (!hasGivenUp) void flushAfterPause()
  }

  async function flushAfterPause(): Promise<void> {
    if (waiting) return
    waiting = true
    await platform.wait(pause.left())
    waiting = false
    await flush()
  }

  function flush(): Promise<void> {
    again = true
    isLeft = false
    flushing ??= sendAll()
    return flushing
  }

  return {
    flush,
    leave() {
      isLeft = true
      if (!canSend()) return
      const sessionKey = session.current()
      for (const event of outbox.all()) {
        const key = event.event.sessionKey ?? sessionKey
        if (key === undefined || underWay.has(event.id)) continue
        // What comes of it is seen by the next page, which sends again what is still there.
        send(event, key).catch(() => undefined)
      }
    },
  }
}

/** Whether an event was refused for what it is: it would be refused the next time too. */
function isForGood(status: number): boolean {
  return status >= 400 && status < 500 && !PASSING.has(status)
}
