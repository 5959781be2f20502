import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './recovery-codes.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'agreed' },
  { type: 'made', codes: ['abcd-efgh'] },
  { type: 'copyRequested' },
  { type: 'copied', copied: true },
  { type: 'downloadRequested' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
