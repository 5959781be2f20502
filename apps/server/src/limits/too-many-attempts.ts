import { Refusal } from '@portico/contracts/errors'

/** Refuses an attempt, or a send, that exceeds its limit. */
export function tooManyAttempts(until: number, now: number): Refusal {
  return new Refusal('too-many-requests', {
    retryAfterS: Math.max(1, Math.ceil((until - now) / 1000)),
  })
}
