import { UNEXPECTED } from '../failure.ts'
import type { Event } from './new-password.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'passwordTyped', password: 'ash' },
  { type: 'measured', strength: { score: 1, advice: 'Add words.' } },
  { type: 'measured', strength: undefined },
  { type: 'passwordSubmitted', password: 'quiet-harbour-71-lantern' },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
