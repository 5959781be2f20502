import { FIRST_FACTOR_LIFETIME_MS } from '@portico/contracts/limits'
import { PAGE_MESSAGES } from '@portico/contracts/notices'
import { parseJson } from '@portico/contracts/parse-json'
import type { TextStorage } from '@portico/contracts/text-storage'
import type { Failure } from '@portico/shell/failure'
import { PendingStep, type Position } from './second-step.ts'

const KEY = 'pending-step'

/** The initial position, until the modal reports its own. */
export const INITIAL_POSITION: Position = { step: 'selecting', sentAt: {} }

/** Shown to a user who returns to a second step after the first factor has expired (§8). */
export const FIRST_FACTOR_EXPIRED: Failure = {
  notices: [PAGE_MESSAGES['first-factor-expired']],
  reason: 'first-factor-expired',
}

/** Stores the second step in progress in this tab. */
export function pendingStep(storage: TextStorage, clock: () => number) {
  const stored = () => PendingStep.safeParse(parseJson(storage.read(KEY))).data
  return {
    /** Stores the step. `since` stays the time when its login was first stored. */
    write(step: Omit<PendingStep, 'since'>): void {
      const before = stored()
      const isSameLogin = before?.options.loginUuid === step.options.loginUuid
      storage.write(KEY, JSON.stringify({ ...step, since: isSameLogin ? before.since : clock() }))
    },
    remove: () => storage.remove(KEY),
    /** The stored step, and whether its first factor has expired. */
    read(): (PendingStep & { readonly expired: boolean }) | undefined {
      const step = stored()
      return step && { ...step, expired: clock() - step.since >= FIRST_FACTOR_LIFETIME_MS }
    },
  }
}
