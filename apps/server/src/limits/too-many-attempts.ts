import { Refusal } from '@portico/contracts/errors'

/** The refusal of an attempt, or of a send, before its limit allows another. */
export function tooManyAttempts(until: number, now: number): Refusal {
  return new Refusal('too-many-requests', {
    retryAfterS: Math.max(1, Math.ceil((until - now) / 1000)),
  })
}
