import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import { FIRST_FACTOR_LIFETIME_MS } from '@portico/contracts/limits'
import type { Failure } from '@portico/shell/failure'
import type { TextStorage } from '@portico/shell/text-storage'
import { PendingStep, type Place } from './second-step.ts'

const KEY = 'pending-step'

/** Where a second step begins, until the modal says where the person is. */
export const FIRST_PLACE: Place = { step: 'selecting', sentAt: {} }

/** Said to a person who comes back to a second step whose first factor is too old by now (§8). */
export const FIRST_FACTOR_EXPIRED: Failure = {
  notices: [ERROR_CATALOGUE['first-factor-expired'].message],
  reason: 'first-factor-expired',
}

/** Keeps the second step that is under way in this tab. */
export function pendingStep(storage: TextStorage, clock: () => number) {
  function read(): PendingStep | undefined {
    try {
      return PendingStep.parse(JSON.parse(storage.read(KEY) ?? ''))
    } catch {
      // Another page's value, or none: there is no step to speak of.
      return undefined
    }
  }
  return {
    /** Keeps a step; it began when its login was kept first. */
    keep(step: Omit<PendingStep, 'since'>): void {
      const before = read()
      const known = before?.options.loginUuid === step.options.loginUuid
      storage.keep(KEY, JSON.stringify({ ...step, since: known ? before.since : clock() }))
    },
    forget: () => storage.remove(KEY),
    /** What was kept, and whether its first factor is too old by now. */
    recall(): (PendingStep & { readonly expired: boolean }) | undefined {
      const step = read()
      return step && { ...step, expired: clock() - step.since >= FIRST_FACTOR_LIFETIME_MS }
    },
  }
}
