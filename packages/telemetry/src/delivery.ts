/**
 * Sends queued events one at a time and from one tab at a time, so that connections stay available for the page's own
 * requests. An event is removed from the outbox once the server has acknowledged it; events that fail stay queued.
 */
import type { EventPayload, SessionKey } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, telemetryPath } from '@portico/contracts/telemetry-wire'
import type { Outbox, QueuedEvent } from './outbox.ts'
import type { Pause } from './pause.ts'
import type { Platform } from './platform.ts'
import type { TelemetrySession } from './session.ts'
import type { TelemetrySettings } from './settings.ts'
import { apiErrorIn, TelemetryError } from './telemetry-error.ts'

/** Client error statuses that are not caused by the event itself, so it is retried. */
const RETRYABLE_STATUSES = new Set([404, 408, 409, 429])
/** After this many unknown sessions in a row, delivery pauses. */
const UNKNOWN_SESSIONS_MAXIMUM = 3

export interface Delivery {
  /** Sends all queued events; resolves when the queue is empty or sending must pause. */
  readonly flush: () => Promise<void>
  /** Sends all queued events while the page unloads: the requests outlive the page, but their responses may not arrive. */
  readonly leave: () => void
}

export function openDelivery(deps: {
  readonly platform: Platform
  readonly settings: TelemetrySettings
  readonly outbox: Outbox
  readonly session: TelemetrySession
  readonly pause: Pause
  /** Called if the server says that this visitor must not be tracked. */
  readonly onRefused: () => void
}): Delivery {
  const { platform, settings, outbox, session, pause, onRefused } = deps
  const inFlight = new Set<string>()
  let flushing: Promise<void> | undefined
  let flushAgain = false
  let isWaiting = false
  let refused = false
  let unknownSessions = 0
  let isUnloading = false
  /** All attempts to get a session have failed; nothing is sent unless another tab gets one. */
  let hasGivenUp = false

  const canSend = () =>
    !refused &&
    (!hasGivenUp || session.current() !== undefined) &&
    platform.online() &&
    pause.left() === 0

  async function sendAll(): Promise<void> {
    try {
      do {
        flushAgain = false
        await sendOnce()
      } while (flushAgain)
    } finally {
      // Reset here instead of after the promise settles, so a flush requested in between is not lost.
      flushing = undefined
    }
  }

  async function sendOnce(): Promise<void> {
    if (outbox.all().length === 0) return
    // The pause may have been started by an earlier page or another tab.
    if (pause.left() > 0) void flushAfterPause()
    if (!canSend()) return
    await platform.exclusively(async () => {
      for (const event of outbox.all()) {
        if (!canSend()) return
        if (!inFlight.has(event.id)) await deliver(event)
      }
    })
  }

  async function deliver(queuedEvent: QueuedEvent): Promise<void> {
    let sessionKey: SessionKey | undefined
    try {
      sessionKey = queuedEvent.event.sessionKey ?? (await session.key())
      await send(queuedEvent, sessionKey)
      unknownSessions = 0
    } catch (error) {
      handleError(queuedEvent, sessionKey, error)
    }
  }

  async function send(queuedEvent: QueuedEvent, sessionKey: SessionKey): Promise<void> {
    const { id, event } = queuedEvent
    inFlight.add(id)
    if (event.sessionKey === undefined) outbox.assign(queuedEvent, sessionKey)
    try {
      const body: EventPayload = { ...event, sessionKey }
      await platform.post(telemetryPath(settings.context, 'event'), body, {
        headers: { [EVENT_ID_HEADER]: id },
        expect: 'nothing',
      })
      outbox.remove(id)
      pause.end()
    } finally {
      inFlight.delete(id)
    }
  }

  function handleError(
    queuedEvent: QueuedEvent,
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
      // The event's session has expired: send the event with the current session or a new one.
      if (session.current()?.uuid === sessionKey?.uuid) session.forget()
      outbox.assign(queuedEvent, undefined)
      unknownSessions += 1
      flushAgain = true
      if (unknownSessions < UNKNOWN_SESSIONS_MAXIMUM) return
    }
    if (answer !== undefined && isPermanent(answer.status)) {
      outbox.remove(queuedEvent.id)
      return
    }
    // A request aborted by unloading does not mean that the server failed; the next page sends the event again.
    if (isUnloading && answer?.status === 0) return
    pause.begin((answer?.retryAfterS ?? 0) * 1000)
    hasGivenUp = error instanceof TelemetryError && error.code === 'session-retries-failed'
    if (!hasGivenUp) void flushAfterPause()
  }

  async function flushAfterPause(): Promise<void> {
    if (isWaiting) return
    isWaiting = true
    await platform.wait(pause.left())
    isWaiting = false
    await flush()
  }

  function flush(): Promise<void> {
    flushAgain = true
    isUnloading = false
    flushing ??= sendAll()
    return flushing
  }

  return {
    flush,
    leave() {
      isUnloading = true
      if (!canSend()) return
      const sessionKey = session.current()
      for (const event of outbox.all()) {
        const key = event.event.sessionKey ?? sessionKey
        if (key === undefined || inFlight.has(event.id)) continue
        // The next page resends whatever is still in the outbox.
        send(event, key).catch(() => undefined)
      }
    },
  }
}

/** Whether the event itself was rejected, so a retry would fail too. */
function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status)
}
