import { OPERATOR_IDLE_MS, STEP_UP_MS } from '@portico/contracts/limits'
import { expect, test } from 'vitest'
import { operatorAccess, stepUpUntil } from './operator-access.ts'

const LOGIN = 1_000_000_000
const LATER = LOGIN + OPERATOR_IDLE_MS + 1

const session = (
  method: string,
  secondMethod?: string,
  more: { confirmedAt?: number; confirmedBy?: string; operatorUsedAt?: number } = {},
) => ({
  method,
  secondMethod,
  createdAt: LOGIN,
  confirmedAt: LOGIN,
  confirmedBy: undefined,
  operatorUsedAt: null,
  ...more,
})

test.each([
  ['password', undefined, 'second-factor-missing'],
  ['passcode', 'email', 'second-factor-missing'],
  ['password', 'phone', 'second-factor-missing'],
  ['password', 'recovery-code', 'second-factor-missing'],
  ['provider', undefined, 'second-factor-missing'],
  ['passkey', undefined, 'granted'],
  ['password', 'totp', 'granted'],
  ['password', 'passkey', 'granted'],
])('15 a login by %s and %s is %s', (method, second, access) => {
  const at = LOGIN + 1
  expect(operatorAccess(session(method, second), { hasGrants: true, at })).toBe(access)
  expect(operatorAccess(session(method, second), { hasGrants: false, at })).toBe('no-grant')
})

test.each([
  ['a password on a known device, then an authenticator', 'password', 'totp', 'granted'],
  ['a password, confirmed by password', 'password', 'password', 'second-factor-missing'],
  ['a passkey, confirmed by password', 'passkey', 'password', 'idle'],
  ['a passkey, confirmed by passkey', 'passkey', 'passkey', 'granted'],
])('15 after the idle time, %s', (_, method, confirmedBy, access) => {
  const confirmed = session(method, undefined, { confirmedAt: LATER, confirmedBy })
  expect(operatorAccess(confirmed, { hasGrants: true, at: LATER })).toBe(access)
})

test('15 an operator has access until fifteen minutes after the last use', () => {
  const used = session('passkey', undefined, { operatorUsedAt: LOGIN + 60_000 })
  const end = LOGIN + 60_000 + OPERATOR_IDLE_MS
  const access = (at: number) => operatorAccess(used, { hasGrants: true, at })
  expect([access(end - 1), access(end)]).toEqual(['granted', 'idle'])
})

test('15 step-up lasts five minutes after the last passkey or authenticator code', () => {
  expect(stepUpUntil(session('passkey'))).toBe(LOGIN + STEP_UP_MS)
  expect(stepUpUntil(session('password'))).toBeUndefined()
  const confirmed = session('passkey', undefined, { confirmedAt: LATER, confirmedBy: 'totp' })
  expect(stepUpUntil(confirmed)).toBe(LATER + STEP_UP_MS)
  const weakly = session('passkey', undefined, { confirmedAt: LATER, confirmedBy: 'password' })
  expect(stepUpUntil(weakly)).toBe(LOGIN + STEP_UP_MS)
})
