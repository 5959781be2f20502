import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './change.flow.ts'

/** What a change may begin with. */
export const inputs = [null] as const

/** What a change may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'given', values: {} },
  { type: 'changed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
