import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './convert-wallet.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'confirmed' },
  { type: 'converted', address: 'tp1new' },
  { type: 'continued' },
  { type: 'refused', failure: UNEXPECTED },
]
