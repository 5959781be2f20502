import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './login.flow.ts'

const email = 'ada@example.com'

export const inputs: readonly Input[] = [{}, { sendTo: email }, { offersCode: true }]

export const events: readonly Event[] = [
  { type: 'codeRestored', method: 'passcode', email, loginUuid: 'uuid' },
  { type: 'codeRestored', method: 'forgotten', email, loginUuid: 'uuid' },
  {
    type: 'secondFactorRestored',
    context: {
      method: 'password',
      email,
      newUser: false,
      options: { loginUuid: 'uuid', aliases: [], emailFactorSupported: true, totpEnabled: false },
      position: { step: 'selecting', sentAt: {} },
    },
  },
  { type: 'nothingToRestore', sentAlready: true },
  { type: 'nothingToRestore', sentAlready: false },
  { type: 'userEngaged' },
  { type: 'passkeySelected', challengeUuid: 'challenge', response: {} },
  { type: 'methodChosen', method: 'password' },
  { type: 'methodChosen', method: 'passcode' },
  { type: 'methodChosen', method: 'forgotten' },
  { type: 'providerChosen', userType: 'customer' },
  { type: 'passwordSubmitted', email, password: 'secret' },
  { type: 'emailSubmitted', email },
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
  { type: 'loginRedirected', to: '/account/heloc' },
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' }, newUser: false },
  { type: 'codeRedeemed', outcome: { kind: 'signedIn', jwt: 'jwt' }, newUser: true },
  { type: 'codeRedeemed', outcome: { kind: 'locked' }, newUser: true },
  { type: 'codeClosed' },
  { type: 'secondFactorRedeemed', jwt: 'jwt' },
  { type: 'secondFactorClosed' },
  { type: 'passwordRead', hasPassword: true },
  { type: 'passwordRead', hasPassword: false },
  { type: 'passwordClosed' },
  { type: 'refused', failure: UNEXPECTED },
]
