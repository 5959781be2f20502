import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './login.flow.ts'

const email = 'ada@example.com'

/** What the login page may begin with. */
export const inputs: readonly Input[] = [{}, { sendTo: email }]

/** What the login page may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'codeRecalled', method: 'passcode', email, loginUuid: 'uuid' },
  { type: 'codeRecalled', method: 'forgotten', email, loginUuid: 'uuid' },
  {
    type: 'secondFactorRecalled',
    under: {
      method: 'password',
      email,
      newUser: false,
      options: { loginUuid: 'uuid', aliases: [], emailFactorSupported: true, totpEnabled: false },
      place: { step: 'selecting', sentAt: {} },
    },
  },
  { type: 'nothingRecalled', sentAlready: true },
  { type: 'nothingRecalled', sentAlready: false },
  { type: 'intended' },
  { type: 'passkeyGiven', challengeUuid: 'challenge', response: {} },
  { type: 'methodChosen', method: 'password' },
  { type: 'methodChosen', method: 'passcode' },
  { type: 'methodChosen', method: 'forgotten' },
  { type: 'passwordGiven', email, password: 'secret' },
  { type: 'emailGiven', email },
  { type: 'loggedIn', outcome: { kind: 'signedIn', jwt: 'jwt' } },
  { type: 'loggedIn', outcome: { kind: 'locked' } },
  { type: 'loggedIn', outcome: { kind: 'redirected', to: '/account/heloc' } },
  {
    type: 'loggedIn',
    outcome: {
      kind: 'twoFactor',
      options: { loginUuid: 'uuid', aliases: [], emailFactorSupported: true, totpEnabled: false },
    },
  },
  { type: 'codeSent', loginUuid: 'uuid' },
  { type: 'loginMoved', to: '/account/heloc' },
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' }, newUser: false },
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' }, newUser: true },
  { type: 'codeRedeemed', outcome: { kind: 'locked' }, newUser: true },
  { type: 'codeLeft' },
  { type: 'secondFactorRedeemed', jwt: 'jwt' },
  { type: 'secondFactorLeft' },
  { type: 'passwordLeft' },
  { type: 'refused', failure: UNEXPECTED },
]
