import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './create-figure.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'nameSubmitted', name: 'Everyday' },
  { type: 'created', address: 'tp1new' },
  { type: 'refused', failure: UNEXPECTED },
]
