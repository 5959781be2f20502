import { UNEXPECTED } from '../failure.ts'
import type { Event } from './new-password.flow.ts'

/** What the password form may begin with. */
export const inputs = [null] as const

/** What the password form may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'passwordTyped', password: 'ash' },
  { type: 'measured', strength: { score: 1, advice: 'Add words.' } },
  { type: 'measured', strength: undefined },
  { type: 'passwordGiven', password: 'quiet-harbour-71-lantern' },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
