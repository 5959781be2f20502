import { Refusal } from '@portico/contracts/errors'

/** The refusal of a guess, or of a send, that came too early. */
export function tooEarly(until: number, now: number): Refusal {
  return new Refusal('too-many-requests', {
    retryAfterS: Math.max(1, Math.ceil((until - now) / 1000)),
  })
}
