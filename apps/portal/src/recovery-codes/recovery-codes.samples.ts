import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './recovery-codes.flow.ts'

/** What the dialog may begin with. */
export const inputs = [null] as const

/** What the dialog may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'agreed' },
  { type: 'made', codes: ['abcd-efgh'] },
  { type: 'copyAsked' },
  { type: 'copied', copied: true },
  { type: 'downloadAsked' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
