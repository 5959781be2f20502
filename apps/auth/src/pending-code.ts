import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { TextStorage } from '@portico/shell/text-storage'
import * as z from 'zod/mini'

/** A passcode that is on its way, so that a page which the telephone dropped meanwhile can still ask for it. */
const PendingCode = z.object({
  purpose: z.enum(['login', 'forgotten', 'registration']),
  email: z.string(),
  loginUuid: z.string(),
  sentAt: z.number(),
})

/** The parsed form of `PendingCode`. */
export type PendingCode = z.output<typeof PendingCode>

const KEY = 'pending-code'

/** Keeps the code that was asked for last in this tab. */
export function pendingCode(storage: TextStorage, clock: () => number) {
  return {
    keep: (pending: Omit<PendingCode, 'sentAt'>) =>
      storage.keep(KEY, JSON.stringify({ ...pending, sentAt: clock() })),
    forget: () => storage.remove(KEY),
    /** What was kept, as long as the code is valid. */
    recall(): PendingCode | undefined {
      const parsed = PendingCode.safeParse(read(storage.read(KEY)))
      return parsed.success && clock() - parsed.data.sentAt < PASSCODE_LIFETIME_MS
        ? parsed.data
        : undefined
    },
  }
}

function read(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    // Another page's value, or none: there is no code to speak of.
    return undefined
  }
}
