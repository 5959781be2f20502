import { UNEXPECTED } from '@portico/shell/failure'
import type { Event } from './phone.flow.ts'

/** What the dialog may begin with. */
export const inputs = [null] as const

/** What the dialog may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'numberGiven', phone: '8005550142' },
  { type: 'codeSent', alias: 'alias' },
  { type: 'codeGiven', code: '123456' },
  { type: 'confirmed' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'back' },
  { type: 'closed' },
]
