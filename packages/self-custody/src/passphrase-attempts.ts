/**
 * Counts wrong passphrases in the device's storage, so that neither reloading nor restarting resets them. An attempt is
 * counted before its passphrase is checked, so concurrent and interrupted attempts count too.
 */

import { Refusal } from '@portico/contracts/errors'
import { PASSPHRASE_ATTEMPTS_WITHOUT_WAIT } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import { passphraseWaitMs } from '@portico/rules/lockout'
import type { DeviceStore } from '@portico/wallet-kit/device-wallet'
import * as z from 'zod/mini'

const KEY = 'vault-attempts'

const Attempts = z.object({
  wrong: z.number().check(z.int(), z.nonnegative()),
  /** The time of the last attempt in epoch milliseconds, used to detect a clock that was set back. */
  countedAt: z.number(),
  retryAt: z.number(),
})
type Attempts = z.output<typeof Attempts>

export interface PassphraseAttempts {
  /** When the next attempt is allowed, in epoch milliseconds; null if now. */
  readonly retryAt: () => Promise<number | null>
  /** Counts an attempt. @throws Refusal - `too-many-attempts` */
  readonly count: () => Promise<void>
  readonly reset: () => Promise<void>
}

/** The maximum difference between the clock and the process's run time that counts as a mere clock correction. */
const CLOCK_TOLERANCE_MS = 5000

export function passphraseAttempts(
  store: DeviceStore,
  { clock, uptime }: { readonly clock: () => number; readonly uptime: () => number },
): PassphraseAttempts {
  let startedAt = clock() - uptime()

  /** The time, and how far the clock was set forward since it was last read. On some platforms, sleep counts as well. */
  function readClock() {
    const now = clock()
    const jumpMs = now - uptime() - startedAt
    startedAt += jumpMs
    return { now, jumpMs: jumpMs > CLOCK_TOLERANCE_MS ? jumpMs : 0 }
  }

  function attemptsIn(
    stored: string | undefined,
    { now, jumpMs }: ReturnType<typeof readClock>,
  ): Attempts {
    if (stored === undefined) return { wrong: 0, countedAt: now, retryAt: now }
    const { data } = Attempts.safeParse(parseJson(stored))
    // A damaged counter must not allow free attempts.
    const attempts = data ?? {
      wrong: PASSPHRASE_ATTEMPTS_WITHOUT_WAIT,
      countedAt: now,
      retryAt: now,
    }
    const longest = now + passphraseWaitMs(attempts.wrong)
    // The clock was set back: the wait restarts from now, so it is neither shortened nor extended beyond its length.
    if (now < attempts.countedAt) return { ...attempts, countedAt: now, retryAt: longest }
    // The clock was set forward during the wait: the rest of it remains. Several windows may detect this.
    return jumpMs > 0 && attempts.retryAt > now - jumpMs
      ? { ...attempts, countedAt: now, retryAt: Math.min(attempts.retryAt + jumpMs, longest) }
      : attempts
  }

  return {
    async retryAt() {
      const time = readClock()
      const stored = await store.read(KEY)
      if (stored === undefined) return null
      const attempts = attemptsIn(stored, time)
      // Adjusts the end of the wait after the clock was changed.
      if (JSON.stringify(attempts) !== stored) {
        await store.update(KEY, (current) =>
          current === stored ? JSON.stringify(attempts) : current,
        )
      }
      return attempts.retryAt > time.now ? attempts.retryAt : null
    },

    async count() {
      const time = readClock()
      const { now } = time
      let retryAfterMs = 0
      await store.update(KEY, (stored) => {
        const attempts = attemptsIn(stored, time)
        retryAfterMs = attempts.retryAt - now
        if (retryAfterMs > 0) return JSON.stringify(attempts)
        const wrong = attempts.wrong + 1
        return JSON.stringify({ wrong, countedAt: now, retryAt: now + passphraseWaitMs(wrong) })
      })
      if (retryAfterMs > 0) {
        throw new Refusal('too-many-attempts', { retryAfterS: Math.ceil(retryAfterMs / 1000) })
      }
    },

    reset: () => store.update(KEY, () => undefined),
  }
}
