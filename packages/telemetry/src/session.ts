/**
 * The telemetry session (§3, §5): one visit of this browser, shared by its tabs. A stored key is reused while it is fresh;
 * otherwise a new one is requested, with at most three attempts.
 */
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import type { SessionKey, SessionPayload } from '@portico/contracts/telemetry'
import {
  TELEMETRY_LIBRARY_VERSION,
  TELEMETRY_SESSION_ATTEMPTS,
  telemetryPath,
} from '@portico/contracts/telemetry-wire'
import { maskedParams, maskedReferrer } from '@portico/rules/telemetry-masking'
import { parsedJson } from './parsed-json.ts'
import type { Platform } from './platform.ts'
import { parseSessionKey } from './session-key.ts'
import type { TelemetrySettings } from './settings.ts'
import { apiErrorIn, TelemetryError } from './telemetry-error.ts'

/** A session ends after this long without events. */
export const SESSION_REST_MS = 30 * 60 * 1000
/** A session ends at this age even if it is active. */
export const SESSION_AGE_MS = 12 * 60 * 60 * 1000
/** The minimum time between updates of `usedAt`, which limits storage writes. */
const USED_AT_INTERVAL_MS = 60 * 1000
/** The maximum delay before the second attempt; the third waits up to twice as long. */
const RETRY_DELAY_MS = 2000

interface StoredSession {
  readonly sessionKey: SessionKey
  readonly usedAt: number
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
  readonly forget: () => void
}

/** Creates the session store; nothing is requested yet. */
export function telemetrySession(
  platform: Platform,
  { context, appVersion }: TelemetrySettings,
): TelemetrySession {
  const { storage, clock } = platform
  let pending: Promise<SessionKey> | undefined
  let failed: TelemetryError | undefined

  function readStored(): StoredSession | undefined {
    const stored = parsedJson(storage.read(STORAGE_KEYS.telemetry))
    const sessionKey = parseSessionKey(stored['sessionKey'])
    const { usedAt } = stored
    return sessionKey && typeof usedAt === 'number' ? { sessionKey, usedAt } : undefined
  }

  function current(): SessionKey | undefined {
    const session = readStored()
    if (session === undefined) return undefined
    const { sessionKey, usedAt } = session
    return isWithin(SESSION_REST_MS, usedAt) && isWithin(SESSION_AGE_MS, sessionKey.epoch)
      ? sessionKey
      : undefined
  }

  /** Whether a time is within `ms` of now. A time far in the future comes from a wrong clock and does not count either. */
  function isWithin(ms: number, time: number): boolean {
    return Math.abs(clock() - time) < ms
  }

  function keep(sessionKey: SessionKey): void {
    storage.keep(STORAGE_KEYS.telemetry, JSON.stringify({ sessionKey, usedAt: clock() }))
  }

  async function request(): Promise<SessionKey> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await requestOnce()
      } catch (error) {
        if (isFinal(error)) throw error
        if (attempt === TELEMETRY_SESSION_ATTEMPTS) {
          failed = new TelemetryError('session-retries-failed', { cause: error })
          throw failed
        }
        await platform.wait(RETRY_DELAY_MS * attempt * (0.5 + platform.chance() / 2))
      }
    }
  }

  async function requestOnce(): Promise<SessionKey> {
    const { origin, search, referrer, screenWidth, screenHeight, windowWidth, windowHeight } =
      platform.place()
    const before = readStored()?.sessionKey
    const body: SessionPayload = {
      platform: 'WEB',
      libVersion: TELEMETRY_LIBRARY_VERSION,
      referrer: maskedReferrer(referrer, origin),
      queryParams: maskedParams(new URLSearchParams(search)),
      screenWidth,
      screenHeight,
      windowWidth,
      windowHeight,
      ...(before === undefined ? {} : { sessionKey: before }),
      appVersion,
    }
    try {
      const path = telemetryPath(context, 'session')
      const answer = await platform.post(path, body, { expect: 'json' })
      const sessionKey = parseSessionKey((answer as { sessionKey?: unknown } | null)?.sessionKey)
      // A telemetry session must return a session key (§5).
      if (sessionKey === undefined) throw new Error('The response contains no session key')
      keep(sessionKey)
      return sessionKey
    } catch (cause) {
      throw new TelemetryError('session-not-established', { cause })
    }
  }

  return {
    current,
    key() {
      const session = current()
      if (session !== undefined) return Promise.resolve(session)
      // A page makes at most three attempts (§5).
      if (failed !== undefined) return Promise.reject(failed)
      pending ??= request().finally(() => {
        pending = undefined
      })
      return pending
    },
    use() {
      const session = readStored()
      if (session === undefined || current() === undefined) return
      if (clock() - session.usedAt >= USED_AT_INTERVAL_MS) keep(session.sessionKey)
    },
    forget: () => storage.remove(STORAGE_KEYS.telemetry),
  }
}

/** A 4xx response would not change on a retry, and a 429 must not be answered with more requests. */
function isFinal(error: unknown): boolean {
  const status = apiErrorIn(error)?.status ?? 0
  return status >= 400 && status < 500
}
