import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './questions.flow.ts'

/** What the dialog may begin with. */
export const inputs = [null] as const

/** What the dialog may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'catalogueRead', catalogue: [{ uuid: 'pet', question: 'First pet?' }] },
  { type: 'retried' },
  { type: 'answersGiven', answers: [{ question: 'pet', answer: 'Rex' }] },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
