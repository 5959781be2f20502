import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './one-time-code.flow.ts'

/** What the code entry may begin with. */
export const inputs: readonly Input[] = [
  { loginUuid: 'first', justSent: true },
  { loginUuid: 'first', justSent: false },
]

/** What the code entry may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'codeGiven', code: '123456' },
  { type: 'redeemed', outcome: { kind: 'signedIn', jwt: 'jwt' } },
  { type: 'refused', failure: { notices: ['Wrong'] } },
  { type: 'resendAsked' },
  { type: 'resent', loginUuid: 'second' },
  { type: 'resendRefused', failure: UNEXPECTED },
  { type: 'rested' },
  { type: 'closed' },
  { type: 'broke' },
]
