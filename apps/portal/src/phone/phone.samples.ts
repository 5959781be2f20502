import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './phone.flow.ts'

export const inputs = [null] as const

export const events: readonly Event[] = [
  { type: 'numberSubmitted', phone: '8005550142' },
  { type: 'codeSent', alias: 'alias' },
  { type: 'codeSubmitted', code: '123456' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'back' },
  { type: 'closed' },
]
