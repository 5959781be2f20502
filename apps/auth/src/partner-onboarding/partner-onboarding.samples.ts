import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './partner-onboarding.flow.ts'

const email = 'ada@example.com'
const organization = 'FIGURE'
const owner = { uuid: 'ada', email, passwordExpired: true }
const otherUser = { uuid: 'eve', email: 'eve@example.com', passwordExpired: true }

export const inputs: readonly Input[] = [
  { borrower: { email, identityUuid: undefined, organization }, loginUuid: undefined },
  { borrower: { email, identityUuid: undefined, organization }, loginUuid: 'login' },
  { borrower: { email: undefined, identityUuid: 'ada', organization }, loginUuid: undefined },
]

export const events: readonly Event[] = [
  { type: 'sessionFound', jwt: 'jwt', owner },
  { type: 'sessionFound', jwt: 'jwt', owner: otherUser },
  { type: 'sessionFound', jwt: 'jwt', owner: { ...owner, passwordExpired: false } },
  { type: 'linkOpened', loginUuid: 'login', code: '123456' },
  { type: 'nothingFound' },
  { type: 'replacementConfirmed' },
  { type: 'sessionKept' },
  { type: 'sessionEnded' },
  { type: 'continued' },
  { type: 'verified', next: 'goToLogin' },
  { type: 'verified', next: 'sendToken' },
  { type: 'verified', next: 'sendContinueEmail' },
  { type: 'verified', next: 'enterCode' },
  { type: 'codeSent', loginUuid: 'login' },
  { type: 'codeResent', loginUuid: 'login' },
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
  { type: 'secondFactorRedeemed', jwt: 'jwt' },
  { type: 'secondFactorClosed' },
  { type: 'identityRead', owner },
  { type: 'identityRead', owner: { ...owner, passwordExpired: false } },
  { type: 'identityRead', owner: otherUser },
  { type: 'identityUnavailable' },
  { type: 'passwordSet' },
  { type: 'retried' },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'refused', failure: { notices: ['Used'], reason: 'code-used' } },
]
