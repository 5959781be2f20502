/**
 * Masks events, queues them and sends them one at a time, from one tab at a time, so that connections stay available for the
 * page's own requests. The queue is in local storage, shared by all tabs: unsent events survive navigation and being
 * offline. Loaded when the page is idle.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { EventPayload, SessionKey } from '@portico/contracts/telemetry'
import { EVENT_ID_HEADER, telemetryPath } from '@portico/contracts/telemetry-wire'
import { maskedParams, maskedPath, maskedProperties } from '@portico/rules/telemetry-masking'
import {
  browserPlatform,
  type PageEvent,
  type Platform,
  type TelemetrySettings,
} from './platform.ts'
import { apiErrorIn, parseSessionKey, TelemetryError, telemetrySession } from './session.ts'
import {
  clearTelemetry,
  EARLY_EVENTS_KEY,
  type KeyedStorage,
  MAX_EVENTS,
  parseJsonObject,
} from './telemetry-storage.ts'

const QUEUE_KEY = `${STORAGE_KEYS.telemetry}.queue`
export const EVENT_AGE_MS = 3 * 24 * 60 * 60 * 1000
/** The pause after the first failed request; it doubles with each further one. */
const FIRST_PAUSE_MS = 5000
export const MAX_PAUSE_MS = 30 * 60 * 1000
/** Client error statuses that are not caused by the event itself, so it is retried. */
const RETRYABLE_STATUSES = new Set([404, 408, 409, 429])
/** After this many unknown sessions in a row, sending pauses. */
const MAX_UNKNOWN_SESSIONS = 3

/** A masked event; the server deduplicates by `id`. */
interface QueuedEvent {
  readonly id: string
  readonly at: number
  /** The session is added when the event is sent. */
  readonly event: Omit<EventPayload, 'sessionKey'>
  readonly sessionKey?: SessionKey
}

export interface Engine {
  readonly track: (event: PageEvent) => void
  readonly trackingId: () => string | undefined
  /** Sends all queued events; resolves when the queue is empty or sending must pause. */
  readonly flush: () => Promise<void>
}

/** Starts the engine in a page, with the early events of this page and of a previous page that closed too soon. */
export function startTelemetry(
  window: Window,
  storage: KeyedStorage,
  settings: TelemetrySettings,
  early: readonly PageEvent[],
): Engine {
  const engine = startEngine(browserPlatform(window, storage, settings), settings)
  const { events } = parseJsonObject(storage.read(EARLY_EVENTS_KEY))
  storage.remove(EARLY_EVENTS_KEY)
  const stored = Array.isArray(events) ? events.filter(isPageEvent) : []
  for (const event of [...stored, ...early]) engine.track(event)
  return engine
}

/** Starts collecting and sending events, beginning with those queued by earlier pages. */
export function startEngine(platform: Platform, settings: TelemetrySettings): Engine {
  const { storage, clock } = platform
  const session = telemetrySession(platform, settings)
  const inFlight = new Set<string>()
  let flushing: Promise<void> | undefined
  let flushAgain = false
  let failures = 0
  let unknownSessions = 0
  let isPaused = false
  let isUnloading = false
  let isRefused = false

  function readQueue(): readonly QueuedEvent[] {
    const { queue } = parseJsonObject(storage.read(QUEUE_KEY))
    return Array.isArray(queue)
      ? queue.filter((item) => isQueuedEvent(item) && Math.abs(clock() - item.at) < EVENT_AGE_MS)
      : []
  }

  function writeQueue(queue: readonly QueuedEvent[]): void {
    if (queue.length === 0) storage.remove(QUEUE_KEY)
    else storage.write(QUEUE_KEY, JSON.stringify({ queue: queue.slice(-MAX_EVENTS) }))
  }

  function removeFromQueue(id: string): void {
    writeQueue(readQueue().filter((queued) => queued.id !== id))
  }

  /** Stores the session an event is sent with, so that a retry uses the same one; undefined removes it. */
  function assignSession({ id }: QueuedEvent, sessionKey: SessionKey | undefined): void {
    writeQueue(
      readQueue().map(({ sessionKey: earlier, ...queued }) => {
        const key = queued.id === id ? sessionKey : earlier
        return key === undefined ? queued : { ...queued, sessionKey: key }
      }),
    )
  }

  const canSend = () => !isRefused && !isPaused && platform.online()

  async function sendAll(): Promise<void> {
    try {
      while (flushAgain) {
        flushAgain = false
        await sendQueue()
      }
    } finally {
      // Reset here instead of after the promise settles, so a flush requested in between is not lost.
      flushing = undefined
    }
  }

  async function sendQueue(): Promise<void> {
    if (readQueue().length === 0 || !canSend()) return
    await platform.exclusively(async () => {
      for (const queued of readQueue()) {
        if (!canSend()) return
        if (!inFlight.has(queued.id)) await deliver(queued)
      }
    })
  }

  async function deliver(queued: QueuedEvent): Promise<void> {
    try {
      await send(queued, queued.sessionKey ?? (await session.key()))
      unknownSessions = 0
    } catch (error) {
      // After a page's last attempt to get a session, its events wait for the next page.
      const isFinal = error instanceof TelemetryError && error.code === 'session-retries-failed'
      if (!isFinal) handleError(queued, error)
    }
  }

  async function send(queued: QueuedEvent, sessionKey: SessionKey): Promise<void> {
    inFlight.add(queued.id)
    if (queued.sessionKey === undefined) assignSession(queued, sessionKey)
    try {
      const body: EventPayload = { ...queued.event, sessionKey }
      await platform.post(telemetryPath(settings.context, 'event'), body, {
        headers: { [EVENT_ID_HEADER]: queued.id },
        expect: 'nothing',
      })
      removeFromQueue(queued.id)
      failures = 0
    } finally {
      inFlight.delete(queued.id)
    }
  }

  function handleError(queued: QueuedEvent, error: unknown): void {
    const answer = apiErrorIn(error)
    if (answer?.reason === 'tracking-refused') {
      isRefused = true
      clearTelemetry(storage)
      return
    }
    if (answer?.reason === 'telemetry-session-unknown') {
      // The event's session has expired: send the event with the current session or a new one.
      const { uuid } = readQueue().find(({ id }) => id === queued.id)?.sessionKey ?? {}
      if (session.current()?.uuid === uuid) session.remove()
      assignSession(queued, undefined)
      unknownSessions += 1
      flushAgain = true
      if (unknownSessions < MAX_UNKNOWN_SESSIONS) return
    } else if (answer !== undefined && isPermanent(answer.status)) {
      removeFromQueue(queued.id)
      return
    }
    // A request aborted by unloading does not mean that the server failed; the next page sends the event again.
    if (isUnloading && answer?.status === 0) return
    pause((answer?.retryAfterS ?? 0) * 1000)
  }

  /** An unavailable server gets fewer and fewer requests. */
  function pause(retryAfterMs: number): void {
    failures += 1
    const backoff = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10) * (0.5 + platform.random() / 2)
    isPaused = true
    void platform.wait(Math.min(MAX_PAUSE_MS, Math.max(backoff, retryAfterMs))).then(() => {
      isPaused = false
      return flush()
    })
  }

  function flush(): Promise<void> {
    flushAgain = true
    isUnloading = false
    flushing ??= sendAll()
    return flushing
  }

  /** Sends all queued events while the page unloads: the requests outlive the page, but their responses may not arrive. */
  function leave(): void {
    isUnloading = true
    if (!canSend()) return
    for (const queued of readQueue()) {
      const sessionKey = queued.sessionKey ?? session.current()
      if (sessionKey === undefined || inFlight.has(queued.id)) continue
      // The next page resends what is still queued.
      send(queued, sessionKey).catch(() => undefined)
    }
  }

  platform.onLeave(leave)
  platform.onReturn(() => void flush())
  void flush()

  return {
    track({ pagePath, search, eventProperties, ...event }) {
      if (isRefused) return
      session.use()
      const sessionKey = session.current()
      const queued: QueuedEvent = {
        id: platform.randomId(),
        at: clock(),
        event: {
          ...event,
          domain: platform.place().hostname,
          queryParams: maskedParams(new URLSearchParams(search)),
          pagePath: maskedPath(pagePath),
          ...(eventProperties === undefined
            ? {}
            : { eventProperties: maskedProperties(eventProperties) }),
        },
        ...(sessionKey === undefined ? {} : { sessionKey }),
      }
      writeQueue([...readQueue(), queued])
      void flush()
    },
    trackingId: () => session.current()?.uuid,
    flush,
  }
}

/** Whether the event itself was rejected, so a retry would fail too. */
function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status)
}

function isPageEvent(value: unknown): value is PageEvent {
  const { event, eventType, pagePath, search } = (value ?? {}) as Readonly<Record<string, unknown>>
  return [event, eventType, pagePath, search].every((text) => typeof text === 'string')
}

/** A shallow check of a stored value; the server validates events, and rejected ones are removed. */
function isQueuedEvent(value: unknown): value is QueuedEvent {
  const { id, at, event, sessionKey } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (
    typeof id === 'string' &&
    typeof at === 'number' &&
    typeof event === 'object' &&
    event !== null &&
    (sessionKey === undefined || parseSessionKey(sessionKey) !== undefined)
  )
}
