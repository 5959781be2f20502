import { OrgCode } from '@portico/contracts/organization'
import { visibleText } from '@portico/contracts/text'
import * as z from 'zod/mini'

/** The scopes of the lender's applications, with the claims that each adds. */
export const SCOPE_CLAIMS = {
  openid: ['sub', 'organization', 'acr', 'amr', 'auth_time'],
  email: ['email', 'email_verified'],
  wallet: ['wallet_address', 'group_policy_address'],
} as const

const SCOPES = ['openid', 'email', 'wallet'] as const satisfies (keyof typeof SCOPE_CLAIMS)[]

const MAX_URI_LENGTH = 512
/** Loopback hosts, which only reach the user's own device (RFC 8252, 7.3). */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

/** A URL that a browser or our server opens. It must match exactly. */
const Uri = z.string().check(
  z.maxLength(MAX_URI_LENGTH),
  z.refine((text) => isPlainUri(text), 'must be an https address without a user name and fragment'),
)

function isPlainUri(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || /[#*\\\s]|\/\.\.?(?:\/|$)/.test(text)) return false
  if (url.username !== '' || url.password !== '' || text.includes('@')) return false
  return url.protocol === 'https:' || isLoopbackUri(text)
}

/** Whether a URL is plain http on the user's own device. */
export function isLoopbackUri(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && LOOPBACK.test(url.hostname)
}

const uris = () => z.array(Uri).check(z.maxLength(20))

const PublicKey = z.looseObject({
  kty: z.enum(['EC', 'OKP', 'RSA'], 'must be EC, OKP or RSA'),
  kid: z.string().check(z.minLength(1), z.maxLength(128)),
  d: z.optional(z.undefined('must be left out: this is the private part of the key')),
})

/**
 * A lender's application, as described by a file under `config/clients`.
 *
 * - `organization`: users log in on its pages.
 * - `alsoOrganizations`: users already logged in on these organizations' pages need not log in again.
 * - `authentication`: how its server authenticates; `none` for a browser-only application.
 * - `demonstration`: exists in demonstration mode only; only such clients may use http addresses.
 */
export const ClientFile = z.strictObject({
  clientId: z
    .string()
    .check(
      z.regex(
        /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
        'must be lower-case letters, digits and hyphens, 64 at most',
      ),
    ),
  name: visibleText({ max: 80 }),
  organization: OrgCode,
  alsoOrganizations: z.prefault(z.array(OrgCode).check(z.maxLength(100)), []),
  enabled: z.prefault(z.boolean(), true),
  demonstration: z.prefault(z.boolean(), false),
  authentication: z.enum(['secret', 'private-key', 'none'], 'must be secret, private-key or none'),
  secretHashes: z.prefault(
    z
      .array(
        z
          .string()
          .check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash in 64 lower-case hex digits')),
      )
      .check(z.maxLength(2)),
    [],
  ),
  publicKeys: z.prefault(z.array(PublicKey).check(z.maxLength(4)), []),
  redirectUris: uris().check(z.minLength(1)),
  postLogoutRedirectUris: z.prefault(uris(), []),
  backChannelLogoutUri: z.optional(Uri),
  scopes: z.prefault(
    z
      .array(z.enum(SCOPES, `must be one of ${SCOPES.join(', ')}`))
      .check(z.refine((scopes) => scopes.includes('openid'), 'must contain openid')),
    ['openid', 'email'],
  ),
  pushedRequestsOnly: z.prefault(z.boolean(), false),
})

export type ClientFile = z.output<typeof ClientFile>
