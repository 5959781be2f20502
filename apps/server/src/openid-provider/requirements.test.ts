import { expect, test } from 'vitest'
import type { OpenSession } from '../sessions/sessions.ts'
import { authenticationContext, authenticationMethods } from './authentication.ts'
import { nextStep, requirementsOf } from './requirements.ts'

const NOW = 1_800_000_000_000
const MINUTE_MS = 60_000

/** A session that began five minutes ago with a password. */
const sessionWith = (fields: Partial<OpenSession> = {}): OpenSession => ({
  id: 'session',
  identityId: 'identity',
  email: 'ada@example.com',
  emailVerifiedAt: NOW,
  organizationCode: 'FIGURE',
  loginOrganizationCode: 'FIGURE',
  profileType: 'CUSTOMER',
  passwordExpired: false,
  hasPassword: true,
  emailFactor: false,
  aliases: [],
  method: 'password',
  secondMethod: undefined,
  createdAt: NOW - 5 * MINUTE_MS,
  confirmedAt: NOW - 5 * MINUTE_MS,
  confirmedBy: undefined,
  emailChange: { addedAt: null, addedIn: null },
  updatedAt: NOW,
  expiresAt: NOW + MINUTE_MS,
  chosen: undefined,
  wallet: { locked: false, usedAt: 0 },
  operator: undefined,
  ...fields,
})

function stepFor(
  params: Readonly<Record<string, string>>,
  fields: Partial<OpenSession> = {},
  provenSince?: number,
) {
  const client = { organization: 'FIGURE', alsoOrganizations: ['HARBORLINE'] }
  const required = requirementsOf(params, client)
  return nextStep(sessionWith(fields), required, { at: NOW, provenSince })
}

test.each<[Record<string, string>, Partial<OpenSession>, ReturnType<typeof nextStep>]>([
  [{}, {}, undefined],
  [{}, { passwordExpired: true }, 'log-in'],
  // An account managed by an identity provider has no password.
  [{}, { passwordExpired: true, hasPassword: false }, undefined],
  [{}, { organizationCode: 'QUINCE', loginOrganizationCode: 'QUINCE' }, 'log-in'],
  [{}, { organizationCode: 'QUINCE', loginOrganizationCode: 'HARBORLINE' }, undefined],
  [{}, { organizationCode: 'FIGURE', loginOrganizationCode: 'QUINCE' }, undefined],
  // A login at an identity provider counts for the provider's organization alone.
  [
    {},
    { organizationCode: 'FIGURE', loginOrganizationCode: 'QUINCE', method: 'provider' },
    'log-in',
  ],
  [
    {},
    { organizationCode: 'QUINCE', loginOrganizationCode: 'FIGURE', method: 'provider' },
    undefined,
  ],
  [{ max_age: '300' }, {}, undefined],
  [{ max_age: '299' }, {}, 'log-in'],
  [{ max_age: '299' }, { confirmedAt: NOW - MINUTE_MS }, undefined],
  [{ prompt: 'login' }, {}, 'log-in'],
  [{ prompt: 'consent' }, {}, undefined],
  [{ login_hint: 'bob@example.com' }, {}, 'log-in'],
  [{ login_hint: ' ADA@example.com' }, {}, undefined],
  [{ login_hint: '12345' }, {}, undefined],
  [{ acr_values: 'two-factor' }, {}, 'confirm'],
  [{ acr_values: 'two-factor one-factor' }, {}, undefined],
  [{ acr_values: 'two-factor' }, { secondMethod: 'totp' }, undefined],
  [{ acr_values: 'two-factor', prompt: 'login' }, {}, 'log-in'],
])('a request with %j of a session with %j needs %s', (params, fields, step) => {
  expect(stepFor(params, fields)).toBe(step)
})

test('a proof since the request began satisfies recent-login requirements, and nothing else', () => {
  const began = NOW - MINUTE_MS
  const fresh = { confirmedAt: NOW - MINUTE_MS / 2 }
  for (const params of [{ prompt: 'login' }, { max_age: '0' }, { login_hint: 'bob@example.com' }]) {
    expect(stepFor(params, {}, began)).toBe('log-in')
    expect(stepFor(params, fresh, began)).toBeUndefined()
  }
  expect(stepFor({ acr_values: 'two-factor' }, fresh, began)).toBe('confirm')
  const elsewhere = { organizationCode: 'QUINCE', loginOrganizationCode: 'QUINCE' }
  expect(stepFor({}, { ...fresh, ...elsewhere }, began)).toBe('log-in')
})

test.each<[Partial<OpenSession>, string, readonly string[]]>([
  [{}, 'one-factor', ['pwd']],
  [{ method: 'passcode' }, 'one-factor', ['otp']],
  [{ method: 'provider' }, 'one-factor', ['fed']],
  [{ method: 'passkey' }, 'two-factor', ['pop', 'mfa']],
  [{ secondMethod: 'phone' }, 'two-factor', ['pwd', 'sms', 'mfa']],
  [{ confirmedBy: 'totp' }, 'two-factor', ['pwd', 'otp', 'mfa']],
  // Repeating the same proof is not a second factor.
  [{ confirmedBy: 'password' }, 'one-factor', ['pwd']],
])('a session with %j has the acr %s and the amr %j', (fields, context, methods) => {
  const session = sessionWith(fields)
  expect(authenticationContext(session)).toBe(context)
  expect(authenticationMethods(session)).toEqual(methods)
})
