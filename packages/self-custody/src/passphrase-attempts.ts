/**
 * Counts wrong passphrases in the device's storage, so that neither reloading nor restarting resets them. An attempt counts
 * before its passphrase is checked: attempts made at the same time, or stopped halfway, are counted too.
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
  /** The time of the last attempt, by which a clock that was set back is detected. In epoch milliseconds. */
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

export function passphraseAttempts(store: DeviceStore, clock: () => number): PassphraseAttempts {
  function attemptsIn(stored: string | undefined, now: number): Attempts {
    if (stored === undefined) return { wrong: 0, countedAt: now, retryAt: now }
    const { data } = Attempts.safeParse(parseJson(stored))
    // A damaged count must not give further attempts for free.
    const attempts = data ?? {
      wrong: PASSPHRASE_ATTEMPTS_WITHOUT_WAIT,
      countedAt: now,
      retryAt: now,
    }
    // The clock was set back: the wait starts again from now, so it neither shortens nor lasts longer than its length.
    return now < attempts.countedAt
      ? { ...attempts, countedAt: now, retryAt: now + passphraseWaitMs(attempts.wrong) }
      : attempts
  }

  return {
    async retryAt() {
      const now = clock()
      const stored = await store.read(KEY)
      if (stored === undefined) return null
      const attempts = attemptsIn(stored, now)
      // Keeps the start of the wait after the clock was set back.
      if (attempts.countedAt === now) {
        await store.update(KEY, (current) =>
          current === undefined ? undefined : JSON.stringify(attemptsIn(current, now)),
        )
      }
      return attempts.retryAt > now ? attempts.retryAt : null
    },

    async count() {
      const now = clock()
      let retryAfterMs = 0
      await store.update(KEY, (stored) => {
        const attempts = attemptsIn(stored, now)
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
