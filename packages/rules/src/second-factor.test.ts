import { expect, test } from 'vitest'
import { secondFactors } from './second-factor.ts'

const email = { uuid: 'e', type: 'Email', value: 'a•••@example.com' } as const
const phone = { uuid: 'p', type: 'Phone', value: '•••• 0142' } as const
const NO_METHODS = { loginUuid: 'l', aliases: [], emailFactorSupported: false, totpEnabled: false }

test('4.5 the methods are the aliases of the login', () => {
  const options = { ...NO_METHODS, aliases: [email, phone], emailFactorSupported: true }
  expect(secondFactors({ ...options, totpEnabled: true }, { passkeys: true }).methods).toEqual([
    { kind: 'email', alias: 'e', value: 'a•••@example.com' },
    { kind: 'phone', alias: 'p', value: '•••• 0142' },
    { kind: 'totp' },
  ])
})

test('4.5 an address with its factor disabled is not a method', () => {
  expect(secondFactors({ ...NO_METHODS, aliases: [email] }, { passkeys: true }).methods).toEqual([])
})

test("4.5 'Forgot 2FA?' (shown only when no e-mail method exists)", () => {
  const withEmail = { ...NO_METHODS, aliases: [email], emailFactorSupported: true }
  expect(secondFactors(withEmail, { passkeys: true }).offersRecovery).toBe(false)
  expect(
    secondFactors({ ...NO_METHODS, aliases: [phone] }, { passkeys: true }).offersRecovery,
  ).toBe(true)
})

const both = { passkeyEnabled: true, recoveryCodesEnabled: true }

test('4.5 passkey and recovery code are additional methods and do not affect the others', () => {
  const { methods, additional } = secondFactors(
    { ...NO_METHODS, ...both, totpEnabled: true },
    { passkeys: true },
  )
  expect(methods).toEqual([{ kind: 'totp' }])
  expect(additional).toEqual([{ kind: 'passkey' }, { kind: 'recoveryCode' }])
})

test('4.5 without other methods they are the methods', () => {
  expect(secondFactors({ ...NO_METHODS, ...both }, { passkeys: true })).toMatchObject({
    methods: [{ kind: 'passkey' }, { kind: 'recoveryCode' }],
    additional: [],
  })
})

test('4.5 a browser without passkeys does not show any', () => {
  expect(secondFactors({ ...NO_METHODS, ...both }, { passkeys: false }).methods).toEqual([
    { kind: 'recoveryCode' },
  ])
})
