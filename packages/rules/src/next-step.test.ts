import type { AccountListItem } from '@portico/contracts/wallet'
import { expect, test } from 'vitest'
import { type NextStepFacts, nextStep, type SignInSettings } from './next-step.ts'

const EMAIL = {
  uuid: '0b8f4c1e-2a57-4d0e-9c53-61f0a7d3b201',
  type: 'Email',
  value: 'ada@example.com',
  verified: true,
  auth: true,
} as const
const PHONE = { ...EMAIL, type: 'Phone', value: '8005550142' } as const
const PASSKEY = { uuid: EMAIL.uuid, name: 'My phone', createdAt: 0, lastUsedAt: null }

/** This user can only sign in with a passcode. */
const bare: SignInSettings = {
  aliases: [EMAIL],
  emailFactorEnabled: false,
  hasPassword: false,
  passkeys: [],
  providers: [],
  totpEnabled: false,
}
const PROVIDER = { uuid: EMAIL.uuid, name: 'Northgale ID', connectedAt: 0 }
const passwordOnly: SignInSettings = { ...bare, hasPassword: true }
const complete: SignInSettings = { ...passwordOnly, totpEnabled: true }

const account = (...verified: boolean[]): AccountListItem => ({
  account: { name: 'Olga', address: 'tp1olga' },
  authorizedWallets: verified.map((isVerified, at) => ({
    address: `tp1wallet${at}`,
    name: 'Olga',
    type: 'FIGURE',
    authorizationType: 'Owner',
    verified: isVerified,
  })),
})
const verified = [account(true)]
const unverified = [account(false), account(false)]

test.each<[string, NextStepFacts, ReturnType<typeof nextStep>]>([
  [
    'a reviewer who needs more',
    { security: bare, accounts: undefined, passport: 'returned' },
    'answer-reviewer',
  ],
  ['no password yet', { security: bare, accounts: [], passport: 'incomplete' }, 'set-password'],
  [
    'a passkey instead of a password, which is a second step too',
    { security: { ...bare, passkeys: [PASSKEY] }, accounts: [], passport: 'none' },
    'get-wallet',
  ],
  [
    'an identity provider that manages the account',
    {
      security: { ...bare, providers: [{ ...PROVIDER, manages: true }] },
      accounts: [],
      passport: 'none',
    },
    'get-wallet',
  ],
  [
    'an identity provider that is only connected',
    {
      security: { ...bare, providers: [{ ...PROVIDER, manages: false }] },
      accounts: [],
      passport: 'none',
    },
    'set-password',
  ],
  [
    'no second step',
    { security: passwordOnly, accounts: [], passport: 'incomplete' },
    'add-second-step',
  ],
  [
    'a phone that is not verified',
    {
      security: { ...passwordOnly, aliases: [EMAIL, { ...PHONE, verified: false }] },
      accounts: verified,
      passport: 'none',
    },
    'add-second-step',
  ],
  [
    'a verified phone',
    {
      security: { ...passwordOnly, aliases: [EMAIL, PHONE] },
      accounts: verified,
      passport: 'none',
    },
    'nothing-due',
  ],
  [
    'codes by email',
    {
      security: { ...passwordOnly, emailFactorEnabled: true },
      accounts: verified,
      passport: 'none',
    },
    'nothing-due',
  ],
  ['no wallet', { security: complete, accounts: [], passport: 'incomplete' }, 'get-wallet'],
  [
    'no verified wallet',
    { security: complete, accounts: unverified, passport: 'incomplete' },
    'verify-wallet',
  ],
  [
    'one verified wallet of several',
    { security: complete, accounts: [account(false, true)], passport: 'none' },
    'nothing-due',
  ],
  [
    'a passport to complete',
    { security: complete, accounts: verified, passport: 'incomplete' },
    'complete-passport',
  ],
  ['nothing due', { security: complete, accounts: verified, passport: 'none' }, 'nothing-due'],
  // A card that could not be loaded never hides steps due according to the others.
  [
    'settings that could not be read',
    { security: undefined, accounts: [], passport: 'none' },
    'get-wallet',
  ],
  [
    'accounts that could not be read',
    { security: complete, accounts: undefined, passport: 'incomplete' },
    'complete-passport',
  ],
  [
    'nothing due as far as it is known',
    { security: complete, accounts: undefined, passport: 'none' },
    'unknown',
  ],
  [
    'a passport that could not be read',
    { security: complete, accounts: verified, passport: undefined },
    'unknown',
  ],
])('the next step with %s', (_, facts, step) => {
  expect(nextStep(facts)).toBe(step)
})
