import type { SecurityOverview } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { confirmationMethods } from './confirmation-methods.ts'

type Session = SecurityOverview['sessions'][number]

const PASSKEYS = [{ uuid: 'k', name: 'My phone', createdAt: 0, lastUsedAt: null }]
const BROWSER = { passkeys: true }

const cameBy = (method: Session['method'], current = true) => ({
  uuid: method,
  device: 'Chrome',
  network: '192.0.2.0/24',
  method,
  signedInAt: 0,
  current,
})

const person = {
  hasPassword: true,
  totpEnabled: true,
  passkeys: PASSKEYS,
  sessions: [cameBy('password')],
}

test('a confirmation starts with the method of the sign-in', () => {
  expect(confirmationMethods(person, BROWSER)).toEqual(['password', 'passkey', 'totp', 'passcode'])
  const keyed = { ...person, sessions: [cameBy('password', false), cameBy('passkey')] }
  expect(confirmationMethods(keyed, BROWSER)).toEqual(['passkey', 'password', 'totp', 'passcode'])
  const elsewhere = { ...person, sessions: [cameBy('passkey', false), cameBy('passcode')] }
  expect(confirmationMethods(elsewhere, BROWSER)[0]).toBe('password')
})

test('a confirmation offers a passkey only if the user has one and the browser supports it', () => {
  expect(confirmationMethods(person, { passkeys: false })).not.toContain('passkey')
  expect(confirmationMethods({ ...person, passkeys: [] }, BROWSER)).not.toContain('passkey')
})

test('users without a password confirm with the passkey, and those without either with a mailed code', () => {
  const passwordless = { ...person, hasPassword: false, totpEnabled: false }
  expect(confirmationMethods(passwordless, BROWSER)).toEqual(['passkey', 'passcode'])
  expect(confirmationMethods({ ...passwordless, passkeys: [] }, BROWSER)).toEqual(['passcode'])
})
