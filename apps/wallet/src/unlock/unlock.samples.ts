import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './unlock.flow.ts'

export const inputs = [null] as const

/** One event of each kind. */
export const events: readonly Event[] = [
  { type: 'ownerRead', owner: { email: 'ada@example.com', methods: ['password', 'passcode'] } },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
]
