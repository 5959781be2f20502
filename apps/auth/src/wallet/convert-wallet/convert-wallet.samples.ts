import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './convert-wallet.flow.ts'

/** What the conversion may begin with. */
export const inputs = [null] as const

/** What it may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'confirmed' },
  { type: 'converted', address: 'tp1new' },
  { type: 'continued' },
  { type: 'refused', failure: UNEXPECTED },
]
