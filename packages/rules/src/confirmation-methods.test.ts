import type { ConfirmationProof, SecurityOverview } from '@portico/contracts/account-security'
import { expect, test } from 'vitest'
import { confirmationMethods } from './confirmation-methods.ts'

type Session = SecurityOverview['sessions'][number]

const BROWSER = { passkeys: true }

const signedInBy = (method: Session['method'], current = true) => ({
  uuid: method,
  device: 'Chrome',
  network: '192.0.2.0/24',
  method,
  signedInAt: 0,
  current,
})

/** The server accepts these proofs for everything. */
const accepting = (...proofs: ConfirmationProof[]) => ({ change: proofs, payment: proofs })

const user = {
  confirmWith: accepting('password', 'passkey', 'totp', 'passcode'),
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
  const without = { ...user, confirmWith: accepting('password', 'passcode') }
  expect(confirmationMethods(without, BROWSER)).not.toContain('passkey')
})

test('users without a password confirm with the passkey, and those without either with a mailed code', () => {
  const passwordless = { ...user, confirmWith: accepting('passkey', 'passcode') }
  expect(confirmationMethods(passwordless, BROWSER)).toEqual(['passkey', 'passcode'])
  const neither = { ...user, confirmWith: accepting('passcode') }
  expect(confirmationMethods(neither, BROWSER)).toEqual(['passcode'])
})

test('8 a confirmation offers only what the server accepts for its purpose', () => {
  const confirmWith = { change: ['password', 'totp'], payment: ['password'] } as const
  const recent = {
    ...user,
    confirmWith: { change: [...confirmWith.change], payment: [...confirmWith.payment] },
  }
  expect(confirmationMethods(recent, BROWSER)).toEqual(['password', 'totp'])
  expect(confirmationMethods(recent, BROWSER, 'payment')).toEqual(['password'])
})
