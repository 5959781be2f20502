import {
  FIRST_LOCKOUT_MS,
  FIRST_PASSPHRASE_WAIT_MS,
  MAX_LOCKOUT_MS,
  MAX_PASSPHRASE_WAIT_MS,
  PASSPHRASE_ATTEMPTS_WITHOUT_WAIT,
} from '@portico/contracts/limits'

/**
 * How long further attempts are refused after the given wrong attempt in an hour (decision 4). The last `allowed` one
 * starts a lockout of a minute; each further one doubles it, up to an hour. One network can therefore make at most 26
 * attempts in an hour and cannot exhaust the 30 of the address.
 */
export function lockoutMs(attempt: number, allowed: number): number {
  if (attempt < allowed) return 0
  return Math.min(FIRST_LOCKOUT_MS * 2 ** (attempt - allowed), MAX_LOCKOUT_MS)
}

/** How long a wallet on the user's device refuses further passphrases after the given number of wrong ones. */
export function passphraseWaitMs(wrong: number): number {
  const waits = wrong - PASSPHRASE_ATTEMPTS_WITHOUT_WAIT
  if (waits <= 0) return 0
  return Math.min(FIRST_PASSPHRASE_WAIT_MS * 2 ** (waits - 1), MAX_PASSPHRASE_WAIT_MS)
}
