/** When a delivery is retried, and how long sending to a failing endpoint pauses. */
import { DAY_MS } from '@portico/contracts/limits'
import type { OutboundResponse } from '../http/outbound-post.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The delay before each retry; more than three days in total. */
const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

const JITTER = 0.1

const GONE = 410
/** The longest delay that a receiver may request with `Retry-After`. */
const MAX_RETRY_AFTER_MS = HOUR_MS
const FIRST_PAUSE_MS = 5 * SECOND_MS
const MAX_PAUSE_MS = HOUR_MS

/** The longest delay that a correct clock can have set. */
export const MAX_RETRY_DELAY_MS = DAY_MS * (1 + JITTER)

/** An endpoint is disabled after failing for this long without a success. */
const DISABLED_AFTER_MS = 5 * DAY_MS

/** The delay after attempt number `attempts`; undefined if the delivery is abandoned. */
export function retryDelay(
  attempts: number,
  { retryAfter, at, random }: { retryAfter: string | undefined; at: number; random: number },
): number | undefined {
  const delay = RETRY_DELAYS_MS[attempts - 1]
  if (delay === undefined) return undefined
  // Jitter, so that deliveries that failed together are not retried together.
  return Math.max(delay * (1 + JITTER * random), requestedDelay(retryAfter, at))
}

/** How long sending to an endpoint pauses after this many failed rounds. */
function pauseAfter(failures: number, retryAfter: string | undefined, at: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), MAX_PAUSE_MS)
  return Math.max(pause, requestedDelay(retryAfter, at))
}

/** A `Retry-After` header holds seconds or a date. */
function requestedDelay(retryAfter: string | undefined, at: number): number {
  if (retryAfter === undefined) return 0
  const afterMs = Number(retryAfter) * SECOND_MS
  const delay = Number.isNaN(afterMs) ? Date.parse(retryAfter) - at : afterMs
  return Number.isNaN(delay) ? 0 : Math.min(Math.max(delay, 0), MAX_RETRY_AFTER_MS)
}

/** The delivery state of an endpoint. */
export interface EndpointState {
  /** Failed rounds since the last success. */
  readonly failures: number
  readonly failingSince: number | null
  readonly pausedUntil: number
  readonly disabledAt: number | null
}

export interface AttemptResult {
  readonly delivered: boolean
  readonly response?: OutboundResponse | undefined
}

/**
 * The state of an endpoint after a round of attempts; undefined if it is unchanged. A single success shows that the endpoint
 * works, so one rejected event neither pauses nor disables it.
 */
export function nextState(
  before: EndpointState,
  results: readonly AttemptResult[],
  at: number,
): EndpointState | undefined {
  if (results.some(({ delivered }) => delivered)) {
    if (before.failures === 0) return undefined
    return { failures: 0, failingSince: null, pausedUntil: 0, disabledAt: null }
  }
  const failures = before.failures + 1
  const failingSince = before.failingSince ?? at
  const isGone = results.some(({ response }) => response?.status === GONE)
  const retryAfter = results.at(-1)?.response?.retryAfter
  return {
    failures,
    failingSince,
    pausedUntil: at + pauseAfter(failures, retryAfter, at),
    disabledAt: isGone || at - failingSince >= DISABLED_AFTER_MS ? at : null,
  }
}
