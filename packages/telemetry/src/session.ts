/**
 * The telemetry session (§3, §5): a visit of this browser, shared by its tabs. The stored key is reused while it is
 * fresh; else a new one is asked for, three times at most.
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
import { sessionKeyIn } from './session-key.ts'
import type { TelemetrySettings } from './settings.ts'
import { apiErrorIn, TelemetryError } from './telemetry-error.ts'

/** A visit in which nothing happens for this long is over. */
export const SESSION_REST_MS = 30 * 60 * 1000
/** And however much happens, at this age. */
export const SESSION_AGE_MS = 12 * 60 * 60 * 1000
/** How often it is written down that something happens. */
const NOTED_EVERY_MS = 60 * 1000
/** How long the second try waits at most; the third waits twice as long. */
const TRY_WAIT_MS = 2000

/** A key as it is stored, with when it was used last. */
interface Kept {
  readonly sessionKey: SessionKey
  readonly usedAt: number
}

/** The session of a page. */
export interface TelemetrySession {
  /** The stored key, while it is fresh. */
  readonly current: () => SessionKey | undefined
  /**
   * The stored key, or a new one.
   *
   * @throws TelemetryError - `session-retries-failed`; or `session-not-established` where trying again would not help
   */
  readonly key: () => Promise<SessionKey>
  /** Notes that something happened, which keeps the session fresh. */
  readonly use: () => void
  readonly forget: () => void
}

/** Opens the session of a page; nothing is asked for yet. */
export function telemetrySession(
  platform: Platform,
  { context, appVersion }: TelemetrySettings,
): TelemetrySession {
  const { storage, clock } = platform
  let asked: Promise<SessionKey> | undefined
  let failed: TelemetryError | undefined

  function kept(): Kept | undefined {
    const stored = parsedJson(storage.read(STORAGE_KEYS.telemetry))
    const sessionKey = sessionKeyIn(stored['sessionKey'])
    const { usedAt } = stored
    return sessionKey && typeof usedAt === 'number' ? { sessionKey, usedAt } : undefined
  }

  function current(): SessionKey | undefined {
    const session = kept()
    if (session === undefined) return undefined
    const { sessionKey, usedAt } = session
    return isWithin(SESSION_REST_MS, usedAt) && isWithin(SESSION_AGE_MS, sessionKey.epoch)
      ? sessionKey
      : undefined
  }

  /** Whether a time is not longer ago; a time to come, beyond what clocks differ by, is of a clock that was wrong. */
  function isWithin(ms: number, time: number): boolean {
    return Math.abs(clock() - time) < ms
  }

  function keep(sessionKey: SessionKey): void {
    storage.keep(STORAGE_KEYS.telemetry, JSON.stringify({ sessionKey, usedAt: clock() }))
  }

  async function ask(): Promise<SessionKey> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await askOnce()
      } catch (error) {
        if (isFinal(error)) throw error
        if (tried === TELEMETRY_SESSION_ATTEMPTS) {
          failed = new TelemetryError('session-retries-failed', { cause: error })
          throw failed
        }
        await platform.wait(TRY_WAIT_MS * tried * (0.5 + platform.chance() / 2))
      }
    }
  }

  async function askOnce(): Promise<SessionKey> {
    const { origin, search, referrer, screenWidth, screenHeight, windowWidth, windowHeight } =
      platform.place()
    const before = kept()?.sessionKey
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
      const sessionKey = sessionKeyIn((answer as { sessionKey?: unknown } | null)?.sessionKey)
      // A telemetry session must return a session key (§5).
      if (sessionKey === undefined) throw new Error('The answer holds no session key')
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
      // Three tries are all that a page makes (§5).
      if (failed !== undefined) return Promise.reject(failed)
      asked ??= ask().finally(() => {
        asked = undefined
      })
      return asked
    },
    use() {
      const session = kept()
      if (session === undefined || current() === undefined) return
      if (clock() - session.usedAt >= NOTED_EVERY_MS) keep(session.sessionKey)
    },
    forget: () => storage.remove(STORAGE_KEYS.telemetry),
  }
}

/** A refusal stays one however often it is asked; too many requests are not answered with more of them. */
function isFinal(error: unknown): boolean {
  const status = apiErrorIn(error)?.status ?? 0
  return status >= 400 && status < 500
}
