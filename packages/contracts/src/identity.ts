import * as z from 'zod/mini'
import { call } from './call.ts'
import { EmailAddress } from './email-address.ts'
import { PASSWORD_LENGTH_MAXIMUM } from './limits.ts'
import { OrgCode } from './organization.ts'
import { Passcode } from './passcode.ts'
import { TrackingId, TYPE_BY_HAND, Uuid } from './text.ts'

/** The header that carries the bot-check token (§7.2). */
export const BOT_CHECK_HEADER = 'x-recaptcha-token'

/** A password as it arrives: anything a person can type, bounded before it is hashed. */
export const Password = z.string().check(
  z.minLength(1),
  z.maxLength(
    PASSWORD_LENGTH_MAXIMUM,
    `Please enter a password of ${PASSWORD_LENGTH_MAXIMUM} characters at most.`,
  ),
  z.refine((text) => !/\p{Cc}/u.test(text), TYPE_BY_HAND),
)

/** Ways to be reached for a code (§3). */
export const AliasType = z.enum(['Email', 'Phone', 'TOTP'])

/** An alias as a login offers it. */
export const Alias = z.object({ uuid: Uuid, type: AliasType, value: z.string() })

/** An alias of an identity (§3). */
export const ExpandedAlias = z.object({
  uuid: Uuid,
  type: AliasType,
  value: z.string(),
  verified: z.boolean(),
  auth: z.boolean(),
})

const identityFields = {
  uuid: Uuid,
  organizationCode: z.string(),
  profileType: z.enum(['CUSTOMER', 'AGENT']),
  updatedDate: z.iso.datetime(),
  passwordExpired: z.boolean(),
  twoFactorEnabled: z.boolean(),
  totpVerified: z.boolean(),
}

/** Whether a password has to be chosen, and whether there is one: without, `passwordExpired` is true as well. */
const passwordState = { passwordExpired: z.boolean(), hasPassword: z.optional(z.boolean()) }

/** A person's identity (§3, legacy). */
export const Identity = z.object({ ...identityFields, aliases: z.array(ExpandedAlias) })

/** What a first factor leads to (§3, login response): a token, a lock, a second factor, or another login. */
export const LoginResponse = z.object({
  jwt: z.optional(z.string()),
  isAccountManuallyLocked: z.optional(z.boolean()),
  twoFactorOptions: z.optional(
    z.object({
      loginUuid: Uuid,
      aliases: z.array(Alias),
      emailFactorSupported: z.boolean(),
      totpEnabled: z.boolean(),
      /** Further methods beside the aliases: absent where the account has none. */
      passkeyEnabled: z.optional(z.boolean()),
      recoveryCodesEnabled: z.optional(z.boolean()),
    }),
  ),
  redirectUrl: z.optional(z.string()),
})

/** The parsed form of `LoginResponse`. */
export type LoginResponse = z.output<typeof LoginResponse>

/** Signs in with e-mail address and password. */
export const login = call({
  name: 'login',
  summary: 'Sign in with an e-mail address and a password.',
  method: 'POST',
  path: '/identity/api/v2/login',
  auth: 'none',
  headers: { [BOT_CHECK_HEADER]: 'The solved bot check.' },
  body: z.strictObject({
    email: EmailAddress,
    password: Password,
    telemetryTrackingId: z.optional(TrackingId),
  }),
  answer: LoginResponse,
  refusals: ['wrong-credentials', 'bot-check-failed'],
})

/** Sends a passcode by e-mail. Every address is answered alike. */
export const sendToken = call({
  name: 'sendToken',
  summary: 'Send a passcode by e-mail; every address is answered alike.',
  method: 'POST',
  path: '/identity/api/v1/token/send',
  auth: 'none',
  body: z.strictObject({ email: EmailAddress, telemetryTrackingId: z.optional(TrackingId) }),
  answer: z.object({ uuid: Uuid, redirect: z.optional(z.string()) }),
})

/** Exchanges a passcode for a session. */
export const redeemToken = call({
  name: 'redeemToken',
  summary: 'Exchange a passcode for a session.',
  method: 'PUT',
  path: '/identity/api/v1/token/redeem',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, token: Passcode }),
  answer: LoginResponse,
  refusals: ['code-wrong', 'code-superseded', 'code-expired', 'code-used'],
})

/** Sets the password of the signed-in person and ends every other session. */
export const setPassword = call({
  name: 'setPassword',
  summary: 'Set the password of the signed-in person; every other session ends.',
  method: 'PUT',
  path: '/identity/secure/api/v1/pw',
  auth: 'session',
  body: z.strictObject({ newPassword: Password }),
  refusals: ['weak-password', 'breached-password', 'password-unchanged', 'sign-in-too-old'],
})

/** Begins a registration. Every address is answered alike. */
export const register = call({
  name: 'register',
  summary: 'Begin a registration; every address is answered alike.',
  method: 'POST',
  path: '/identity/api/v1/registration/register',
  auth: 'none',
  body: z.strictObject({ email: EmailAddress }),
  answer: z.object({ jwt: z.string() }),
})

/** Reads the signed-in person's identity. */
export const readIdentity = call({
  name: 'readIdentity',
  summary: "Read the signed-in person's identity.",
  method: 'GET',
  path: '/identity/secure/api/v1/identity',
  auth: 'session',
  answer: z.object({ identity: Identity, ...passwordState }),
})

/** Reads the signed-in person's identity with its aliases expanded. */
export const readExpandedIdentity = call({
  name: 'readExpandedIdentity',
  summary: "Read the signed-in person's identity with its aliases expanded.",
  method: 'GET',
  path: '/identity/secure/api/v1_1/identity',
  auth: 'session',
  answer: z.object({ identity: Identity, ...passwordState }),
})

/** Tells a partner's page how far somebody's registration has come. */
export const readRegistrationVerification = call({
  name: 'readRegistrationVerification',
  summary: "Tell how far a partner-referred borrower's registration has come.",
  method: 'GET',
  path: '/identity/api/v1/identity/registration/verification',
  auth: 'none',
  query: z
    .strictObject({
      identityUuid: z.optional(Uuid),
      borrowerEmail: z.optional(EmailAddress),
      organization: z.optional(OrgCode),
      loginUuid: z.optional(Uuid),
    })
    .check(
      z.refine(
        (query) =>
          query.identityUuid !== undefined ||
          (query.borrowerEmail !== undefined && query.organization !== undefined),
        'give identityUuid, or borrowerEmail with organization',
      ),
    ),
  answer: z.object({
    isIdentityRegistered: z.boolean(),
    isInquiryWelcomeEmailSent: z.boolean(),
    isTokenExpired: z.boolean(),
  }),
})

/** Ends the session whose cookie the request carries; answers the same where there is none. */
export const logout = call({
  name: 'logout',
  summary: 'End the session of the cookie; the same answer where there is none.',
  method: 'POST',
  path: '/identity/api/v1/logout',
  auth: 'cookie',
})

/** Gives a proof-of-work puzzle for the product's own bot check. */
export const readBotCheckChallenge = call({
  name: 'readBotCheckChallenge',
  summary: "Get a puzzle of the product's own bot check.",
  method: 'GET',
  path: '/identity/api/v1/bot-check/challenge',
  auth: 'none',
  answer: z.record(z.string(), z.unknown()),
})

/** The identity module's calls, in the order of the documentation. */
export const IDENTITY_CALLS = [
  login,
  sendToken,
  redeemToken,
  setPassword,
  register,
  readIdentity,
  readExpandedIdentity,
  readRegistrationVerification,
  logout,
  readBotCheckChallenge,
] as const
