import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './questions.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'catalogueRead', catalogue: [{ uuid: 'pet', question: 'First pet?' }] },
  { type: 'retried' },
  { type: 'answersSubmitted', answers: [{ question: 'pet', answer: 'Rex' }] },
  { type: 'saved' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'closed' },
]
