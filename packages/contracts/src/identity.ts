import * as z from 'zod/mini'
import { call } from './call.ts'
import { EmailAddress } from './email-address.ts'
import { MAX_PASSWORD_LENGTH } from './limits.ts'
import { OrgCode } from './organization.ts'
import { Passcode } from './passcode.ts'
import { TrackingId, TYPE_BY_HAND, Uuid } from './text.ts'

/** The header that carries the bot-check token (§7.2). */
export const BOT_CHECK_HEADER = 'x-recaptcha-token'

/** A password as typed, with its length limited before hashing. */
export const Password = z.string().check(
  z.minLength(1),
  z.maxLength(
    MAX_PASSWORD_LENGTH,
    `Please enter a password of ${MAX_PASSWORD_LENGTH} characters at most.`,
  ),
  z.refine((text) => !/\p{Cc}/u.test(text), TYPE_BY_HAND),
)

/** The kinds of alias that receive or generate codes (§3). */
export const AliasType = z.enum(['Email', 'Phone', 'TOTP'])

/** An alias offered at login. */
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

/** `passwordExpired` is also true if there is no password yet. */
const passwordState = { passwordExpired: z.boolean(), hasPassword: z.optional(z.boolean()) }

/** An identity (§3, legacy). */
export const Identity = z.object({ ...identityFields, aliases: z.array(ExpandedAlias) })

/**
 * The result of a first factor (§3, login response): a token, a locked account, a second factor, or a redirect to
 * another login.
 */
export const LoginResponse = z.object({
  jwt: z.optional(z.string()),
  isAccountManuallyLocked: z.optional(z.boolean()),
  twoFactorOptions: z.optional(
    z.object({
      loginUuid: Uuid,
      aliases: z.array(Alias),
      emailFactorSupported: z.boolean(),
      totpEnabled: z.boolean(),
      /** Further methods; absent if the account has none. */
      passkeyEnabled: z.optional(z.boolean()),
      recoveryCodesEnabled: z.optional(z.boolean()),
    }),
  ),
  redirectUrl: z.optional(z.string()),
})

export type LoginResponse = z.output<typeof LoginResponse>

export const login = call({
  name: 'login',
  summary: 'Log in with an e-mail address and a password.',
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
  refusals: ['wrong-credentials', 'bot-check-failed', 'busy'],
})

export const sendToken = call({
  name: 'sendToken',
  summary: 'Send a passcode by e-mail; the response is the same for every address.',
  method: 'POST',
  path: '/identity/api/v1/token/send',
  auth: 'none',
  body: z.strictObject({ email: EmailAddress, telemetryTrackingId: z.optional(TrackingId) }),
  answer: z.object({ uuid: Uuid, redirect: z.optional(z.string()) }),
})

export const redeemToken = call({
  name: 'redeemToken',
  summary: 'Exchange a passcode for a session.',
  method: 'PUT',
  path: '/identity/api/v1/token/redeem',
  auth: 'none',
  body: z.strictObject({ loginUuid: Uuid, token: Passcode }),
  answer: LoginResponse,
  refusals: ['code-wrong', 'code-superseded', 'code-of-other-page', 'code-expired', 'code-used'],
})

export const setPassword = call({
  name: 'setPassword',
  summary: "Set the signed-in user's password; every other session ends.",
  method: 'PUT',
  path: '/identity/secure/api/v1/pw',
  auth: 'session',
  body: z.strictObject({ newPassword: Password }),
  refusals: [
    'weak-password',
    'breached-password',
    'password-unchanged',
    'sign-in-too-old',
    'account-managed',
    'busy',
  ],
})

export const register = call({
  name: 'register',
  summary: 'Begin a registration; the response is the same for every address.',
  method: 'POST',
  path: '/identity/api/v1/registration/register',
  auth: 'none',
  body: z.strictObject({ email: EmailAddress }),
  answer: z.object({ jwt: z.string() }),
})

export const readIdentity = call({
  name: 'readIdentity',
  summary: "Read the signed-in user's identity.",
  method: 'GET',
  path: '/identity/secure/api/v1/identity',
  auth: 'session',
  answer: z.object({ identity: Identity, ...passwordState }),
})

/** The session that a cookie belongs to. Times are ISO 8601. */
const CookieSession = z.object({
  identityUuid: Uuid,
  email: z.string(),
  organizationCode: z.string(),
  profileType: z.enum(['CUSTOMER', 'AGENT']),
  passwordExpired: z.boolean(),
  /** When the user last proved their identity. */
  authenticatedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  walletAddress: z.optional(z.string()),
  groupPolicyAddress: z.optional(z.string()),
})

export const readSession = call({
  name: 'readSession',
  summary:
    'Read the session of the cookie alone, for a server that renders pages on this host; null without one. It is a use of the session. Pages of other origins cannot read the answer.',
  method: 'GET',
  path: '/identity/api/v1/session',
  auth: 'cookie',
  answer: z.object({ session: z.nullable(CookieSession) }),
})

export const readExpandedIdentity = call({
  name: 'readExpandedIdentity',
  summary: "Read the signed-in user's identity with its aliases expanded.",
  method: 'GET',
  path: '/identity/secure/api/v1_1/identity',
  auth: 'session',
  answer: z.object({ identity: Identity, ...passwordState }),
})

export const readRegistrationVerification = call({
  name: 'readRegistrationVerification',
  summary: "Read the progress of a partner-referred borrower's registration.",
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

export const logout = call({
  name: 'logout',
  summary: 'End the session of the cookie; the response is the same without one.',
  method: 'POST',
  path: '/identity/api/v1/logout',
  auth: 'cookie',
  impersonation: 'allowed',
})

/** The response is the same if the session has already ended. */
export const stopImpersonation = call({
  name: 'stopImpersonation',
  summary: "End the session in which an operator views a person's pages.",
  method: 'POST',
  path: '/identity/api/v1/impersonation/stop',
  auth: 'cookie',
  impersonation: 'allowed',
})

export const readBotCheckChallenge = call({
  name: 'readBotCheckChallenge',
  summary: "Get a proof-of-work challenge for the product's own bot check.",
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
  readSession,
  readExpandedIdentity,
  readRegistrationVerification,
  logout,
  stopImpersonation,
  readBotCheckChallenge,
] as const
