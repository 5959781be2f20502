import * as z from 'zod/mini'
import { call } from './call.ts'
import { Passcode } from './passcode.ts'
import { typedText, Uuid } from './text.ts'

/** What the browser's credential interface takes and gives, as JSON; the passkey library reads it. */
export const PasskeyJson = z.record(z.string(), z.unknown())

/** A recovery question (§3). */
export const SecurityQuestion = z.object({ uuid: Uuid, question: z.string() })

/** The parsed form of `SecurityQuestion`. */
export type SecurityQuestion = z.output<typeof SecurityQuestion>

/** An answer to a recovery question (§3). */
export const SecurityAnswer = z.strictObject({
  securityQuestionUuid: Uuid,
  answer: typedText({ max: 200 }),
})

/** The token after the second step. */
export const SecondFactorAnswer = z.object({ jwt: z.string() })

/** A browser that is confirmed may be remembered for the second step. */
const rememberDevice = z.optional(z.boolean())

const SECOND_FACTOR_REFUSALS = ['first-factor-expired', 'method-not-available'] as const

const GUESSABLE_REFUSALS = [...SECOND_FACTOR_REFUSALS, 'too-many-wrong-codes'] as const

/** Sends a code to one of the aliases that the login offered. */
export const sendSecondFactor = call({
  name: 'sendSecondFactor',
  summary: 'Send a code to an e-mail or phone alias for the second step.',
  method: 'POST',
  path: '/identity/api/v1/2fa/send',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, alias: Uuid }),
  refusals: SECOND_FACTOR_REFUSALS,
})

/** Redeems a code that was sent for the second step; it outlives its first factor, so it is never told to have expired. */
export const redeemSecondFactor = call({
  name: 'redeemSecondFactor',
  summary: 'Redeem a code that was sent for the second step.',
  method: 'PUT',
  path: '/identity/api/v1/2fa/redeem',
  auth: 'none',
  body: z.strictObject({ token: Passcode, loginUuid: Uuid, rememberDevice }),
  answer: SecondFactorAnswer,
  refusals: [...GUESSABLE_REFUSALS, 'code-wrong', 'code-superseded', 'code-used'],
})

/** Redeems a code of an authenticator application. */
export const redeemTotp = call({
  name: 'redeemTotp',
  summary: 'Redeem a code of an authenticator application.',
  method: 'POST',
  path: '/identity/api/v1/totp',
  auth: 'none',
  body: z.strictObject({ code: Passcode, loginUuid: Uuid, rememberDevice }),
  answer: SecondFactorAnswer,
  refusals: [...GUESSABLE_REFUSALS, 'code-wrong', 'code-used'],
})

/** Lists the recovery questions of a login; an empty list where there are none. */
export const retrieveQuestions = call({
  name: 'retrieveQuestions',
  summary: 'List the recovery questions of a login.',
  method: 'POST',
  path: '/identity/api/v1/question/retrieve',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid }),
  answer: z.array(SecurityQuestion),
  refusals: SECOND_FACTOR_REFUSALS,
})

/** Answers a recovery question in place of the second step. */
export const answerQuestion = call({
  name: 'answerQuestion',
  summary: 'Answer a recovery question in place of the second step.',
  method: 'POST',
  path: '/identity/api/v1/question',
  auth: 'none',
  body: z.strictObject({
    loginUuid: Uuid,
    answers: z.array(SecurityAnswer).check(z.minLength(1), z.maxLength(3)),
  }),
  answer: SecondFactorAnswer,
  refusals: [...GUESSABLE_REFUSALS, 'answer-wrong'],
})

/** Redeems a recovery code in place of the second step. */
export const redeemRecoveryCode = call({
  name: 'redeemRecoveryCode',
  summary: 'Redeem a recovery code in place of the second step.',
  method: 'POST',
  path: '/identity/api/v1/recovery-code',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, code: typedText({ max: 64 }) }),
  answer: SecondFactorAnswer,
  refusals: [...SECOND_FACTOR_REFUSALS, 'code-wrong', 'code-used'],
})

/** Gives what the browser needs to ask for a passkey as the second step. */
export const readPasskeySecondFactor = call({
  name: 'readPasskeySecondFactor',
  summary: 'Get what the browser needs to ask for a passkey as the second step.',
  method: 'POST',
  path: '/identity/api/v1/2fa/passkey/options',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid }),
  answer: z.object({ options: PasskeyJson }),
  refusals: SECOND_FACTOR_REFUSALS,
})

/** Redeems a passkey as the second step. */
export const redeemPasskeySecondFactor = call({
  name: 'redeemPasskeySecondFactor',
  summary: 'Redeem a passkey as the second step.',
  method: 'PUT',
  path: '/identity/api/v1/2fa/passkey',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, response: PasskeyJson, rememberDevice }),
  answer: SecondFactorAnswer,
  refusals: [...SECOND_FACTOR_REFUSALS, 'passkey-refused'],
})

/** Gives what the browser needs to offer passkeys in the e-mail field. */
export const readPasskeyLogin = call({
  name: 'readPasskeyLogin',
  summary: 'Get what the browser needs to sign somebody in with a passkey.',
  method: 'POST',
  path: '/identity/api/v1/passkey/options',
  auth: 'none',
  body: z.strictObject({}),
  answer: z.object({ challengeUuid: Uuid, options: PasskeyJson }),
})

/** Signs in with a passkey alone, which is two factors in one. */
export const passkeyLogin = call({
  name: 'passkeyLogin',
  summary: 'Sign in with a passkey.',
  method: 'POST',
  path: '/identity/api/v1/passkey/login',
  auth: 'none',
  body: z.strictObject({ challengeUuid: Uuid, response: PasskeyJson }),
  answer: z.object({
    jwt: z.optional(z.string()),
    isAccountManuallyLocked: z.optional(z.boolean()),
    redirectUrl: z.optional(z.string()),
  }),
  refusals: ['passkey-refused'],
})

/** The calls of the second step, in the order of the documentation. */
export const TWO_FACTOR_CALLS = [
  sendSecondFactor,
  redeemSecondFactor,
  redeemTotp,
  retrieveQuestions,
  answerQuestion,
  redeemRecoveryCode,
  readPasskeySecondFactor,
  redeemPasskeySecondFactor,
  readPasskeyLogin,
  passkeyLogin,
] as const
