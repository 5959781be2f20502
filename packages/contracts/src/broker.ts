/** Sign-in with an organization's own identity provider (§7.5). */
import * as z from 'zod/mini'
import { call } from './call.ts'
import { EmailAddress } from './email-address.ts'
import { LoginResponse } from './identity.ts'
import { ORGANIZATION_HEADER } from './limits.ts'
import { Passcode } from './passcode.ts'
import { TrackingId, Uuid, visibleText } from './text.ts'

/** The types of user in the broker's endpoints (§6): customers of an organization, and broker agents. */
export const USER_TYPES = ['customer', 'agent'] as const

export const UserType = z.enum(USER_TYPES)

export type UserType = z.output<typeof UserType>

/** The header with the name of the application that makes the call (§7.5). */
export const APPLICATION_NAME_HEADER = 'x-application-name'

/** The base path of §7.5. */
export const BROKER_PATH = '/identity-broker'

/** An identity as its broker sees it (§3). */
export const BrokerIdentity = z.object({
  identityUuid: Uuid,
  organizationCode: z.string(),
  userType: UserType,
  email: z.string(),
  updatedAt: z.iso.datetime(),
  /** Whether the organization's identity provider created the account and therefore manages it. */
  isManageable: z.boolean(),
  /** The organizations at which the customer can also log in without the identity provider. */
  activeLegacyCustomerOrgs: z.array(z.string()),
  /** The account that the session acts as; absent until one is chosen. */
  walletContext: z.optional(
    z.object({ accountAddress: z.string(), groupPolicyAddress: z.optional(z.string()) }),
  ),
})

export type BrokerIdentity = z.output<typeof BrokerIdentity>

/** The single-use secret of a login at an identity provider. */
const LoginState = z.string().check(z.regex(/^[\w-]{43}$/, 'must be the state of a login'))

/** The page's query parameters. */
const QueryParams = z
  .record(visibleText({ max: 64 }), visibleText({ min: 0, max: 2048 }))
  .check(z.refine((params) => Object.keys(params).length <= 32, 'at most 32 parameters'))

const named = { [APPLICATION_NAME_HEADER]: 'The name of the application.' }

function callsOf(userType: UserType) {
  const title = userType === 'customer' ? 'Customer' : 'Agent'
  const base = `${BROKER_PATH}/${userType}`
  return {
    /**
     * Without `email`, the login always begins. With it, the login begins only if the address belongs to a domain of the
     * identity provider, and the user must then sign in there with that address.
     */
    beginLogin: call({
      name: `begin${title}ProviderLogin`,
      summary: `Begin the login of a${userType === 'agent' ? 'n agent' : ' customer'} at the organization's identity provider. Without a redirect, log in here.`,
      method: 'POST',
      path: `${base}/api/v3/login`,
      auth: 'none',
      headers: { ...named, [ORGANIZATION_HEADER]: 'The code of the organization.' },
      body: z.strictObject({
        email: z.optional(EmailAddress),
        queryParams: z.optional(QueryParams),
        telemetryTrackingId: z.optional(TrackingId),
      }),
      answer: z.object({ redirect: z.optional(z.string()), state: z.optional(z.string()) }),
      refusals: ['provider-not-available'],
    }),

    /** Exchanges the login's state for the token of the session that the callback started, once, or for its second step. */
    redeemLogin: call({
      name: `redeem${title}ProviderLogin`,
      summary:
        'Get the token of the session that a login at the identity provider started, or the second step that it requires.',
      method: 'PUT',
      path: `${base}/api/v3/login`,
      auth: 'cookie',
      headers: named,
      body: z.strictObject({ state: LoginState }),
      answer: z.pick(LoginResponse, { jwt: true, twoFactorOptions: true }),
      refusals: ['session-ended', 'code-used', 'first-factor-expired', 'user-type-refused'],
    }),

    linkAccount: call({
      name: `link${title}Account`,
      summary: 'Connect an existing account to the identity provider with the mailed passcode.',
      method: 'PUT',
      path: `${base}/api/v3/link`,
      auth: 'none',
      headers: named,
      body: z.strictObject({ state: LoginState, token: Passcode }),
      answer: z.object({ jwt: z.string() }),
      refusals: ['code-wrong', 'code-expired', 'code-used', 'user-type-refused'],
    }),

    sendLinkCode: call({
      name: `send${title}LinkCode`,
      summary:
        'Mail another passcode to connect an existing account; the earlier one stops working.',
      method: 'POST',
      path: `${base}/api/v3/link`,
      auth: 'none',
      headers: named,
      body: z.strictObject({ state: LoginState }),
      refusals: ['code-expired', 'code-used', 'user-type-refused'],
    }),

    readIdentity: call({
      name: `read${title}FigureInfo`,
      summary: `Read the identity of the signed-in ${userType}.`,
      method: 'GET',
      path: `${base}/secure/api/v3/self/figureinfo`,
      auth: 'session',
      headers: named,
      answer: BrokerIdentity,
      refusals: ['user-type-refused'],
    }),

    logOut: call({
      name: `logOut${title}`,
      summary: 'End the session. The redirect also ends the session at the identity provider.',
      method: 'POST',
      path: `${base}/secure/api/v3/logout`,
      auth: 'session',
      headers: named,
      answer: z.object({ redirect: z.string() }),
      refusals: ['user-type-refused'],
    }),
  }
}

/** The calls by type of user. */
export const BROKER = { customer: callsOf('customer'), agent: callsOf('agent') } as const

/** The broker's calls, in the order of the documentation. */
export const BROKER_CALLS = [...Object.values(BROKER.customer), ...Object.values(BROKER.agent)]
