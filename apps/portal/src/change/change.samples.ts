import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './change.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'submitted', values: {} },
  { type: 'changed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
