import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  confirmationError,
  emailError,
  loginPasscodeError,
  loginPasswordError,
  newAnswerError,
  newPassphraseError,
  newPasswordError,
  partnerCodeError,
  passkeyNameError,
  phoneError,
  questionError,
  recoveryCodeError,
  registrationCodeError,
  secondFactorCodeError,
  securityAnswerError,
} from './field-errors.ts'

test.each([
  ['', 'Please enter your email'],
  ['  ', 'Please enter your email'],
  ['ada', 'Please enter a valid email.'],
  ['ada@', 'Please enter a valid email.'],
  ['ada@example', 'Please enter a valid email.'],
  ['a da@example.com', 'Please enter a valid email.'],
  ['ada@example.com\u200b', undefined],
  ['ad\u200ba@example.com', 'Please enter a valid email.'],
  ['ada@example.com', undefined],
  [' Ada@Example.com ', undefined],
])('5 email %j: %s', (text, error) => {
  expect(emailError(text)).toBe(error)
})

test.each([
  ['', 'Please enter your password.'],
  [' ', undefined],
  ['secret', undefined],
])('5 login password %j: %s', (text, error) => {
  expect(loginPasswordError(text)).toBe(error)
})

test.each([
  ['', 0, 'Please enter a password.'],
  ['', 4, 'Please enter a password.'],
  ['password', 0, 'Please enter a stronger password.'],
  ['password', 2, 'Please enter a stronger password.'],
  ['password', 3, undefined],
  ['password', 4, undefined],
])('5 new password %j with the strength score %d: %s', (text, score, error) => {
  expect(newPasswordError(text, score)).toBe(error)
})

test.each([
  ['secret', '', 'Please confirm the password.'],
  ['secret', 'Secret', "The confirmation and password don't match."],
  ['secret', 'secret ', "The confirmation and password don't match."],
  ['secret', 'secret', undefined],
])('5 the password %j confirmed as %j: %s', (password, confirmation, error) => {
  expect(confirmationError(password, confirmation)).toBe(error)
})

test.each([
  ['', 'Please enter the passcode.'],
  ['12345', 'Please enter a valid code'],
  ['123456', undefined],
])('5 login one-time token %j: %s', (code, error) => {
  expect(loginPasscodeError(code)).toBe(error)
})

test.each([
  ['', 'Please enter the code'],
  ['12345', 'Please enter a valid code'],
  ['123456', undefined],
])('5 registration code %j: %s', (code, error) => {
  expect(registrationCodeError(code)).toBe(error)
})

test('5 a password is confirmed only by the same password', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (password, other) => {
      expect(confirmationError(password, other) === undefined).toBe(password === other)
    }),
  )
})

test.each([
  ['', 'The code is required.'],
  ['12345', 'The code must be 6 characters long.'],
  ['123456', undefined],
])('5 2FA code %j: %s', (code, error) => {
  expect(secondFactorCodeError(code)).toBe(error)
})

test.each([
  ['', 'The code must be 6 digits.'],
  ['12345', 'The code must be 6 digits.'],
  ['123456', undefined],
])('5 partner onboarding code %j: %s', (code, error) => {
  expect(partnerCodeError(code)).toBe(error)
})

test('5 a recovery code is required, of any length', () => {
  expect(recoveryCodeError(' ')).toBe('The code is required.')
  expect(recoveryCodeError('abcd-efgh')).toBeUndefined()
})

test('5 security answer: required', () => {
  expect(securityAnswerError(' ')).toBe('Please enter your answer.')
  expect(securityAnswerError('Rex')).toBeUndefined()
})

test.each([
  ['', 'Please enter a valid phone number.'],
  ['12', 'Please enter a valid phone number.'],
  ['(800) 555-0142', undefined],
])('5 a phone %j: %s', (phone, error) => {
  expect(phoneError(phone)).toBe(error)
})

test('5 a passkey has a name within its limit, which is refused instead of cut', () => {
  expect(passkeyNameError('a'.repeat(61))).toBe('Please enter 60 characters at most.')
  expect(passkeyNameError(` ${'a'.repeat(60)} `)).toBeUndefined()
  expect(passkeyNameError(' ')).toBe('Please enter a name.')
  expect(passkeyNameError('My phone')).toBeUndefined()
})

test('5 three different questions, each answered with at least three characters', () => {
  expect(questionError('', ['', ''])).toBe('Please choose a question.')
  expect(questionError('a', ['a', 'b'])).toBe('Please choose each question only once.')
  expect(questionError('a', ['b', 'c'])).toBeUndefined()
  expect(newAnswerError('')).toBe('Please enter your answer.')
  expect(newAnswerError(' ab ')).toBe('Please answer with at least three characters.')
  expect(newAnswerError('Rex')).toBeUndefined()
})

test.each([
  ['', 'Please enter a passphrase of at least 10 characters.'],
  ['123456789', 'Please enter a passphrase of at least 10 characters.'],
  // Nine characters of two UTF-16 units each.
  ['🔑'.repeat(9), 'Please enter a passphrase of at least 10 characters.'],
  ['1234567890', undefined],
])('5 a new passphrase %j: %s', (passphrase, expected) => {
  expect(newPassphraseError(passphrase)).toBe(expected)
})
