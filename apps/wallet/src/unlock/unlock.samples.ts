import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './unlock.flow.ts'

/** What unlocking may begin with. */
export const inputs = [null] as const

/** What unlocking may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'ownerRead', owner: { email: 'ada@example.com', methods: ['password', 'passcode'] } },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
]
