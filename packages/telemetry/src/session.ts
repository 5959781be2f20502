/**
 * The telemetry session (§3, §5): one visit of this browser, shared by its tabs. A stored key is reused while it is fresh;
 * otherwise a new one is requested, with at most three attempts per page.
 */
import { ApiError } from '@portico/client/api-error'
import { PorticoError } from '@portico/contracts/errors'
import { NOTICES } from '@portico/contracts/notices'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { SessionKey, SessionPayload } from '@portico/contracts/telemetry'
import {
  TELEMETRY_LIBRARY_VERSION,
  TELEMETRY_SESSION_ATTEMPTS,
  telemetryPath,
} from '@portico/contracts/telemetry-wire'
import { maskedParams, maskedReferrer } from '@portico/rules/telemetry-masking'
import type { Platform, TelemetrySettings } from './platform.ts'
import { parseJsonObject } from './telemetry-storage.ts'

/** A session ends after this long without events. */
export const SESSION_REST_MS = 30 * 60 * 1000
/** A session ends at this age even if it is active. */
export const SESSION_AGE_MS = 12 * 60 * 60 * 1000
/** The minimum time between updates of `usedAt`, which limits storage writes. */
const USED_AT_INTERVAL_MS = 60 * 1000
/** The maximum delay before the second attempt; the third waits up to twice as long. */
const RETRY_DELAY_MS = 2000

const ERRORS = {
  'session-not-established': { message: NOTICES.sessionNotEstablished, status: 0 },
  'session-retries-failed': { message: NOTICES.sessionRetriesFailed, status: 500 },
} as const

/** A session could not be established (§8): after one attempt, or, with status 500, after all of them. */
export class TelemetryError extends PorticoError<keyof typeof ERRORS> {
  readonly status: number

  constructor(code: keyof typeof ERRORS, options: { cause?: unknown } = {}) {
    super(code, ERRORS[code].message, options)
    this.status = ERRORS[code].status
  }
}

/** The API error that caused a failure, if any. */
export function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof TelemetryError ? apiErrorIn(error.cause) : undefined
}

export interface TelemetrySession {
  /** The stored key, while it is fresh. */
  readonly current: () => SessionKey | undefined
  /**
   * The stored key, or a new one.
   *
   * @throws TelemetryError - `session-retries-failed`; or `session-not-established` where trying again would not help
   */
  readonly key: () => Promise<SessionKey>
  /** Records activity, which keeps the session fresh. */
  readonly use: () => void
  readonly remove: () => void
}

/** Creates the session store; nothing is requested yet. */
export function telemetrySession(
  platform: Platform,
  { context, appVersion }: TelemetrySettings,
): TelemetrySession {
  const { storage, clock } = platform
  let pending: Promise<SessionKey> | undefined
  let failed: TelemetryError | undefined

  function readStored() {
    const stored = parseJsonObject(storage.read(STORAGE_KEYS.telemetry))
    const sessionKey = parseSessionKey(stored['sessionKey'])
    const { usedAt } = stored
    return sessionKey && typeof usedAt === 'number' ? { sessionKey, usedAt } : undefined
  }

  function store(sessionKey: SessionKey): void {
    storage.write(STORAGE_KEYS.telemetry, JSON.stringify({ sessionKey, usedAt: clock() }))
  }

  function current(): SessionKey | undefined {
    const stored = readStored()
    return stored !== undefined &&
      isWithin(SESSION_REST_MS, stored.usedAt) &&
      isWithin(SESSION_AGE_MS, stored.sessionKey.epoch)
      ? stored.sessionKey
      : undefined
  }

  /** Whether a time is within `ms` of now. A time far in the future comes from a wrong clock and does not count either. */
  function isWithin(ms: number, time: number): boolean {
    return Math.abs(clock() - time) < ms
  }

  async function request(): Promise<SessionKey> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await requestOnce()
      } catch (cause) {
        const error = new TelemetryError('session-not-established', { cause })
        if (isFinal(error)) throw error
        if (attempt === TELEMETRY_SESSION_ATTEMPTS) {
          failed = new TelemetryError('session-retries-failed', { cause: error })
          throw failed
        }
        await platform.wait(RETRY_DELAY_MS * attempt * (0.5 + platform.random() / 2))
      }
    }
  }

  async function requestOnce(): Promise<SessionKey> {
    const { origin, hostname: _, search, referrer, ...sizes } = platform.place()
    const previous = readStored()?.sessionKey
    const body: SessionPayload = {
      platform: 'WEB',
      libVersion: TELEMETRY_LIBRARY_VERSION,
      referrer: maskedReferrer(referrer, origin),
      queryParams: maskedParams(new URLSearchParams(search)),
      ...sizes,
      ...(previous === undefined ? {} : { sessionKey: previous }),
      appVersion,
    }
    const answer = await platform.post(telemetryPath(context, 'session'), body, { expect: 'json' })
    const sessionKey = parseSessionKey((answer as { sessionKey?: unknown } | null)?.sessionKey)
    // A telemetry session must return a session key (§5).
    if (sessionKey === undefined) throw new Error('The response contains no session key')
    store(sessionKey)
    return sessionKey
  }

  return {
    current,
    key() {
      const sessionKey = current()
      if (sessionKey !== undefined) return Promise.resolve(sessionKey)
      // A page makes at most three attempts (§5).
      if (failed !== undefined) return Promise.reject(failed)
      pending ??= request().finally(() => {
        pending = undefined
      })
      return pending
    },
    use() {
      const stored = readStored()
      if (stored === undefined || current() === undefined) return
      if (clock() - stored.usedAt >= USED_AT_INTERVAL_MS) store(stored.sessionKey)
    },
    remove: () => storage.remove(STORAGE_KEYS.telemetry),
  }
}

/** Parses a session key (§3); undefined if the value is not one. */
export function parseSessionKey(value: unknown): SessionKey | undefined {
  const { uuid, epoch, trackerUuid } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof uuid === 'string' && typeof trackerUuid === 'string' && typeof epoch === 'number'
    ? { uuid, epoch, trackerUuid }
    : undefined
}

/** A 4xx response would not change on a retry, and a 429 must not be answered with more requests. */
function isFinal(error: TelemetryError): boolean {
  const status = apiErrorIn(error)?.status ?? 0
  return status >= 400 && status < 500
}
