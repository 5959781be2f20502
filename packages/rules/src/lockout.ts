import { FIRST_LOCKOUT_MS, LOCKOUT_MAXIMUM_MS } from '@portico/contracts/limits'

/**
 * How long further attempts are refused after the given wrong attempt in an hour (decision 4). The last `allowed` one
 * starts a lockout of a minute; each further one doubles it, up to an hour. One network can therefore make at most 26
 * attempts in an hour and cannot exhaust the 30 of the address.
 */
export function lockoutMs(attempt: number, allowed: number): number {
  if (attempt < allowed) return 0
  return Math.min(FIRST_LOCKOUT_MS * 2 ** (attempt - allowed), LOCKOUT_MAXIMUM_MS)
}
