import { plainDigits } from '@portico/contracts/characters'
import { emailAddress } from '@portico/contracts/email-address'
import {
  MAX_ACCOUNT_NAME_LENGTH,
  MAX_PASSKEY_NAME_LENGTH,
  MIN_ANSWER_LENGTH,
  MIN_PASSPHRASE_LENGTH,
  MIN_PASSWORD_STRENGTH,
  PASSCODE_LENGTH,
} from '@portico/contracts/limits'

/** The error text under a field, or `undefined` if the value is valid (§5). */
export type FieldError = string | undefined

/** The e-mail field. */
export function emailError(text: string): FieldError {
  if (text.trim() === '') return 'Please enter your email'
  return emailAddress(text) === undefined ? 'Please enter a valid email.' : undefined
}

/** The password field of the login page. */
export function loginPasswordError(password: string): FieldError {
  return password === '' ? 'Please enter your password.' : undefined
}

/** The field of a new password; `score` is its strength from 0 to 4. */
export function newPasswordError(password: string, score: number): FieldError {
  if (password === '') return 'Please enter a password.'
  return score < MIN_PASSWORD_STRENGTH ? 'Please enter a stronger password.' : undefined
}

/** The field that confirms a new password. */
export function confirmationError(password: string, confirmation: string): FieldError {
  if (confirmation === '') return 'Please confirm the password.'
  return confirmation === password ? undefined : "The confirmation and password don't match."
}

/** The one-time passcode of the login page. */
export function loginPasscodeError(code: string): FieldError {
  if (code === '') return 'Please enter the passcode.'
  return code.length === PASSCODE_LENGTH ? undefined : 'Please enter a valid code'
}

/** The code of a registration. */
export function registrationCodeError(code: string): FieldError {
  if (code === '') return 'Please enter the code'
  return code.length === PASSCODE_LENGTH ? undefined : 'Please enter a valid code'
}

/** The code of partner onboarding. */
export function partnerCodeError(code: string): FieldError {
  return code.length === PASSCODE_LENGTH ? undefined : 'The code must be 6 digits.'
}

/** The code of the second step. */
export function secondFactorCodeError(code: string): FieldError {
  if (code === '') return 'The code is required.'
  return code.length === PASSCODE_LENGTH ? undefined : 'The code must be 6 characters long.'
}

/** A recovery code; the server checks its length. */
export function recoveryCodeError(code: string): FieldError {
  return code.trim() === '' ? 'The code is required.' : undefined
}

/** The name of a wallet account. */
export function accountNameError(name: string): FieldError {
  return name.trim() === ''
    ? 'Account name is required'
    : lengthError(name, MAX_ACCOUNT_NAME_LENGTH)
}

/** A field whose text is refused instead of cut. */
export function lengthError(text: string, maximum: number): FieldError {
  return text.trim().length > maximum ? `Please enter ${maximum} characters at most.` : undefined
}

/** A new passphrase of a wallet on the user's device. */
export function newPassphraseError(passphrase: string): FieldError {
  return Array.from(passphrase).length < MIN_PASSPHRASE_LENGTH
    ? `Please enter a passphrase of at least ${MIN_PASSPHRASE_LENGTH} characters.`
    : undefined
}

/** The answer to a recovery question. */
export function securityAnswerError(answer: string): FieldError {
  return answer.trim() === '' ? 'Please enter your answer.' : undefined
}

/** A new phone number; the server checks whether it exists. */
export function phoneError(phone: string): FieldError {
  return plainDigits(phone).replace(/\D/g, '').length < 7
    ? 'Please enter a valid phone number.'
    : undefined
}

/** The name of a passkey. */
export function passkeyNameError(name: string): FieldError {
  return name.trim() === '' ? 'Please enter a name.' : lengthError(name, MAX_PASSKEY_NAME_LENGTH)
}

/** The choice of a recovery question; each may be chosen once. */
export function questionError(question: string, others: readonly string[]): FieldError {
  if (question === '') return 'Please choose a question.'
  return others.includes(question) ? 'Please choose each question only once.' : undefined
}

/** The answer to a newly chosen recovery question. */
export function newAnswerError(answer: string): FieldError {
  if (answer.trim() === '') return 'Please enter your answer.'
  return answer.trim().length < MIN_ANSWER_LENGTH
    ? 'Please answer with at least three characters.'
    : undefined
}
