import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import type { TextStorage } from '@portico/contracts/text-storage'
import * as z from 'zod/mini'

/** A passcode that was sent, so that a page the phone discarded in the background can still redeem it. */
const PendingCode = z.object({
  purpose: z.enum(['login', 'forgotten', 'registration']),
  email: z.string(),
  loginUuid: z.string(),
  sentAt: z.number(),
})

export type PendingCode = z.output<typeof PendingCode>

const KEY = 'pending-code'

/** Stores the last passcode request of this tab. */
export function pendingCode(storage: TextStorage, clock: () => number) {
  return {
    write: (pending: Omit<PendingCode, 'sentAt'>) =>
      storage.write(KEY, JSON.stringify({ ...pending, sentAt: clock() })),
    remove: () => storage.remove(KEY),
    /** The stored request, while its code is valid. */
    read(): PendingCode | undefined {
      const parsed = PendingCode.safeParse(parseJson(storage.read(KEY)))
      return parsed.success && clock() - parsed.data.sentAt < PASSCODE_LIFETIME_MS
        ? parsed.data
        : undefined
    },
  }
}
