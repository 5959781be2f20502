import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './create-figure.flow.ts'

/** What the form may begin with. */
export const inputs = [null] as const

/** What it may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'nameGiven', name: 'Everyday' },
  { type: 'created', address: 'tp1new' },
  { type: 'refused', failure: UNEXPECTED },
]
