import * as z from 'zod/mini'
import { call } from './call.ts'
import { Passcode } from './passcode.ts'
import { TrackingId, typedText, Uuid } from './text.ts'

/** WebAuthn options and responses as JSON, interpreted by the passkey library. */
export const PasskeyJson = z.record(z.string(), z.unknown())

/** A recovery question (§3). */
export const SecurityQuestion = z.object({ uuid: Uuid, question: z.string() })

export type SecurityQuestion = z.output<typeof SecurityQuestion>

/** An answer to a recovery question (§3). */
export const SecurityAnswer = z.strictObject({
  securityQuestionUuid: Uuid,
  answer: typedText({ max: 200 }),
})

export const SecondFactorAnswer = z.object({ jwt: z.string() })

/** Whether to remember the browser for the second step. */
const rememberDevice = z.optional(z.boolean())

const SECOND_FACTOR_REFUSALS = ['first-factor-expired', 'method-not-available'] as const

const GUESSABLE_REFUSALS = [...SECOND_FACTOR_REFUSALS, 'too-many-wrong-codes'] as const

export const sendSecondFactor = call({
  name: 'sendSecondFactor',
  summary: 'Send a code to an e-mail or phone alias for the second step.',
  method: 'POST',
  path: '/identity/api/v1/2fa/send',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, alias: Uuid }),
  refusals: SECOND_FACTOR_REFUSALS,
})

/** A code outlives its first factor, so it is never reported as expired. */
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

export const redeemTotp = call({
  name: 'redeemTotp',
  summary: "Redeem an authenticator app's code.",
  method: 'POST',
  path: '/identity/api/v1/totp',
  auth: 'none',
  body: z.strictObject({ code: Passcode, loginUuid: Uuid, rememberDevice }),
  answer: SecondFactorAnswer,
  refusals: [...GUESSABLE_REFUSALS, 'code-wrong', 'code-used'],
})

/** An empty list if there are none. */
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
  refusals: [...GUESSABLE_REFUSALS, 'answer-wrong', 'busy'],
})

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

export const readPasskeySecondFactor = call({
  name: 'readPasskeySecondFactor',
  summary: 'Get the WebAuthn options for a passkey as the second step.',
  method: 'POST',
  path: '/identity/api/v1/2fa/passkey/options',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid }),
  answer: z.object({ options: PasskeyJson }),
  refusals: SECOND_FACTOR_REFUSALS,
})

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

/** For offering passkeys in the e-mail field. */
export const readPasskeyLogin = call({
  name: 'readPasskeyLogin',
  summary: 'Get the WebAuthn options for a login with a passkey.',
  method: 'POST',
  path: '/identity/api/v1/passkey/options',
  auth: 'none',
  body: z.strictObject({}),
  answer: z.object({ challengeUuid: Uuid, options: PasskeyJson }),
})

/** A passkey alone is two factors in one. */
export const passkeyLogin = call({
  name: 'passkeyLogin',
  summary: 'Log in with a passkey.',
  method: 'POST',
  path: '/identity/api/v1/passkey/login',
  auth: 'none',
  body: z.strictObject({
    challengeUuid: Uuid,
    response: PasskeyJson,
    telemetryTrackingId: z.optional(TrackingId),
  }),
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
