import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './one-time-code.flow.ts'

export const inputs: readonly Input[] = [
  { loginUuid: 'first', justSent: true },
  { loginUuid: 'first', justSent: false },
]

export const events: readonly Event[] = [
  { type: 'codeSubmitted', code: '123456' },
  { type: 'redeemed', outcome: { kind: 'signedIn', jwt: 'jwt' } },
  { type: 'refused', failure: { notices: ['Wrong'] } },
  { type: 'resendRequested' },
  { type: 'resent', loginUuid: 'second' },
  { type: 'loginRedirected', to: '/account/heloc' },
  { type: 'resendRefused', failure: UNEXPECTED },
  { type: 'cooldownEnded' },
  { type: 'closed' },
  { type: 'serviceFailed' },
]
