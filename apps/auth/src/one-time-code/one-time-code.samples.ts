import { UNEXPECTED } from '../failure.ts'
import type { Event, Input } from './one-time-code.flow.ts'

export const inputs: readonly Input[] = [
  { loginUuid: 'first', justSent: true },
  { loginUuid: 'first', justSent: false },
]

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
