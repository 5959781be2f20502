import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './registration.flow.ts'

const email = 'ada@example.com'

/** What the registration may begin with. */
export const inputs: readonly Input[] = [
  { after: { kind: 'session' } },
  { after: { kind: 'wallet', to: '/auth/wallet/create-wallet' } },
]

/** What the registration may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'codeRecalled', email, loginUuid: 'uuid' },
  { type: 'emailGiven', email },
  { type: 'codeSent', loginUuid: 'uuid' },
  { type: 'loginMoved', to: '/account/heloc' },
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
  { type: 'codeLeft' },
  { type: 'identityRead', passwordExpired: true },
  { type: 'identityRead', passwordExpired: false },
  { type: 'secondFactorRedeemed', jwt: 'jwt' },
  { type: 'secondFactorLeft' },
  { type: 'passwordSet' },
  { type: 'refused', failure: UNEXPECTED },
]
