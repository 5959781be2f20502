import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './registration.flow.ts'

const email = 'ada@example.com'

export const inputs: readonly Input[] = [
  { after: { kind: 'session' } },
  { after: { kind: 'wallet', to: '/auth/wallet/create-wallet' } },
]

export const events: readonly Event[] = [
  { type: 'codeRestored', email, loginUuid: 'uuid' },
  { type: 'emailSubmitted', email },
  { type: 'codeSent', loginUuid: 'uuid' },
  { type: 'loginRedirected', to: '/account/heloc' },
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' } },
  { type: 'codeRedeemed', outcome: { kind: 'locked' } },
  { type: 'codeRedeemed', outcome: { kind: 'redirected', to: '/account/heloc' } },
  {
    type: 'codeRedeemed',
    outcome: {
      kind: 'twoFactor',
      options: { loginUuid: 'uuid', aliases: [], emailFactorSupported: true, totpEnabled: false },
    },
  },
  { type: 'codeClosed' },
  { type: 'identityRead', passwordExpired: true },
  { type: 'identityRead', passwordExpired: false },
  { type: 'secondFactorRedeemed', jwt: 'jwt' },
  { type: 'secondFactorClosed' },
  { type: 'passwordSet' },
  { type: 'refused', failure: UNEXPECTED },
]
