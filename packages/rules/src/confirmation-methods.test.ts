import type { SecurityOverview } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { confirmationMethods } from './confirmation-methods.ts'

type Session = SecurityOverview['sessions'][number]

const PASSKEYS = [{ uuid: 'k', name: 'My phone', createdAt: 0, lastUsedAt: null }]
const BROWSER = { passkeys: true }

const signedInBy = (method: Session['method'], current = true) => ({
  uuid: method,
  device: 'Chrome',
  network: '192.0.2.0/24',
  method,
  signedInAt: 0,
  current,
})

const user = {
  hasPassword: true,
  totpEnabled: true,
  passkeys: PASSKEYS,
  sessions: [signedInBy('password')],
}

test('a confirmation starts with the method of the sign-in', () => {
  expect(confirmationMethods(user, BROWSER)).toEqual(['password', 'passkey', 'totp', 'passcode'])
  const byPasskey = { ...user, sessions: [signedInBy('password', false), signedInBy('passkey')] }
  expect(confirmationMethods(byPasskey, BROWSER)).toEqual([
    'passkey',
    'password',
    'totp',
    'passcode',
  ])
  const elsewhere = { ...user, sessions: [signedInBy('passkey', false), signedInBy('passcode')] }
  expect(confirmationMethods(elsewhere, BROWSER)[0]).toBe('password')
})

test('a confirmation offers a passkey only if the user has one and the browser supports it', () => {
  expect(confirmationMethods(user, { passkeys: false })).not.toContain('passkey')
  expect(confirmationMethods({ ...user, passkeys: [] }, BROWSER)).not.toContain('passkey')
})

test('users without a password confirm with the passkey, and those without either with a mailed code', () => {
  const passwordless = { ...user, hasPassword: false, totpEnabled: false }
  expect(confirmationMethods(passwordless, BROWSER)).toEqual(['passkey', 'passcode'])
  expect(confirmationMethods({ ...passwordless, passkeys: [] }, BROWSER)).toEqual(['passcode'])
})
