import { FIRST_FACTOR_LIFETIME_MS } from '@portico/contracts/limits'
import type { TextStorage } from '@portico/shell/text-storage'
import { PendingStep } from './second-step.ts'

const KEY = 'pending-step'

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
