import type { LoginResponse } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { loginOutcome, type TwoFactorOptions } from './login-outcome.ts'

const options: TwoFactorOptions = {
  loginUuid: 'f7d0c1a0-0000-4000-8000-000000000000',
  aliases: [],
  emailFactorSupported: true,
  totpEnabled: false,
}
const everything: LoginResponse = {
  isAccountManuallyLocked: true,
  redirectUrl: '/elsewhere',
  twoFactorOptions: options,
  jwt: 'jwt',
}

test.each<[string, LoginResponse, ReturnType<typeof loginOutcome>]>([
  ['locked account', { isAccountManuallyLocked: true }, { kind: 'locked' }],
  ['a redirectUrl', { redirectUrl: '/elsewhere' }, { kind: 'redirected', to: '/elsewhere' }],
  ['two-factor options', { twoFactorOptions: options }, { kind: 'twoFactor', options }],
  ['a jwt', { jwt: 'jwt' }, { kind: 'signedIn', jwt: 'jwt' }],
  [
    'a jwt of an account that is not locked',
    { jwt: 'jwt', isAccountManuallyLocked: false },
    { kind: 'signedIn', jwt: 'jwt' },
  ],
  ['nothing', {}, undefined],
])('4.4 outcomes: %s', (_, response, outcome) => {
  expect(loginOutcome(response)).toEqual(outcome)
})

test('6 accounts manually locked are refused login, whatever else the response contains', () => {
  expect(loginOutcome(everything)).toEqual({ kind: 'locked' })
})

test('4.4 a jwt next to second-factor options does not sign in', () => {
  expect(loginOutcome({ jwt: 'jwt', twoFactorOptions: options })).toEqual({
    kind: 'twoFactor',
    options,
  })
})
