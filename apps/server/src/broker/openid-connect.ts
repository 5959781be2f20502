/**
 * The OpenID Connect adapter: authorization code flow with PKCE, state and nonce. ID token signatures are always verified,
 * even though the token arrives over TLS. Mix-up attacks fail even without the provider's `iss` parameter: each provider has
 * its own redirect URI, and the issuer is stored with the login.
 */
import { emailAddress } from '@portico/contracts/email-address'
import { parseJson } from '@portico/contracts/parse-json'
import * as oidc from 'openid-client'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { outboundFetch } from '../http/outbound-fetch.ts'
import type { OutboundHosts } from '../http/outbound-post.ts'
import { assertSubject, type IdentityProvider, nameIn, ProviderError } from './identity-provider.ts'

/** The settings of an OpenID Connect provider. */
export const OpenIdSettings = z.object({
  issuer: z.string(),
  clientId: z.string(),
  scope: z._default(z.string(), 'openid email profile'),
})

/** The names of the claims to read. */
export const ClaimNames = z.object({
  email: z._default(z.string(), 'email'),
  firstName: z._default(z.string(), 'given_name'),
  lastName: z._default(z.string(), 'family_name'),
  groups: z._default(z.string(), 'groups'),
})

export interface OpenIdProvider {
  readonly id: string
  /** Changes with every change of the settings. */
  readonly version: number
  readonly issuer: URL
  readonly clientId: string
  /** Undefined for a public client, which only PKCE protects. */
  readonly clientSecret: string | undefined
  readonly scope: string
  readonly claims: z.output<typeof ClaimNames>
  /** Whether the person's groups decide about the login. */
  readonly requiresGroup: boolean
  readonly hosts: OutboundHosts
}

/** The values that a response is verified against. */
const Checks = z.object({ issuer: z.string(), nonce: z.string(), codeVerifier: z.string() })

/** How long a provider's metadata is cached. */
const METADATA_FRESH_MS = 10 * 60 * 1000
/** How long to wait before retrying a failed read. */
const METADATA_RETRY_MS = 60 * 1000
const METADATA_TIMEOUT_S = 4
/** How many providers' metadata is cached; an administrator may try many issuers. */
const MAX_PROVIDERS = 1000

interface Metadata {
  readonly config: oidc.Configuration
  readonly version: number
  readonly readAt: number
}

/** Opens providers. Their metadata is cached across logins, and the last good copy is used if a refresh fails. */
export function openIdConnect({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
  const known = new Map<string, Metadata>()

  async function discover(provider: OpenIdProvider): Promise<oidc.Configuration> {
    const fetch = outboundFetch(provider.hosts)
    return oidc.discovery(
      provider.issuer,
      provider.clientId,
      undefined,
      clientAuthentication(provider.clientSecret),
      {
        timeout: METADATA_TIMEOUT_S,
        [oidc.customFetch]: async (url, { method, headers, body, signal }) => {
          // The library only sends forms.
          const form = body instanceof URLSearchParams ? body.toString() : undefined
          const request = { method, headers, body: form, signal }
          const response = await fetch(url, request)
          return url.includes('/.well-known/') ? withUserInfoAlgorithms(response) : response
        },
        execute: [
          oidc.enableNonRepudiationChecks,
          // Plain http is allowed only for hosts that the operator lists.
          // oxlint-disable-next-line typescript/no-deprecated -- deprecated only to stand out
          ...(provider.issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      },
    )
  }

  async function configurationOf(provider: OpenIdProvider): Promise<oidc.Configuration> {
    const key = `${provider.id} ${provider.issuer.href}`
    const found = known.get(key)
    const last = found?.version === provider.version ? found : undefined
    if (last !== undefined && clock() - last.readAt < METADATA_FRESH_MS) return last.config
    try {
      const config = await discover(provider)
      const [oldest = ''] = known.size < MAX_PROVIDERS ? [] : known.keys()
      known.delete(oldest)
      known.set(key, { config, version: provider.version, readAt: clock() })
      return config
    } catch (error) {
      log.warn(
        { err: error, provider: provider.id, mismatch: mismatchIn(error) },
        'the metadata of an identity provider could not be read',
      )
      if (last !== undefined) {
        // The next logins do not wait for an unresponsive provider.
        known.set(key, { ...last, readAt: clock() - METADATA_FRESH_MS + METADATA_RETRY_MS })
        return last.config
      }
      throw new ProviderError('unavailable', 'The metadata could not be read', {
        cause: error,
        data: mismatchIn(error),
      })
    }
  }

  return (provider: OpenIdProvider): IdentityProvider => ({
    async begin({ state, returnUrl, loginHint, choosesAccount }) {
      const config = await configurationOf(provider)
      const codeVerifier = oidc.randomPKCECodeVerifier()
      const nonce = oidc.randomNonce()
      const parameters = {
        redirect_uri: returnUrl,
        scope: provider.scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
        ...(choosesAccount ? promptOf(config.serverMetadata()) : {}),
      }
      const redirect = endpointUrl(() => oidc.buildAuthorizationUrl(config, parameters))
      const checks = { issuer: config.serverMetadata().issuer, nonce, codeVerifier }
      return { redirect: redirect.href, checks: JSON.stringify(checks) }
    },

    async complete({ search, state, returnUrl, checks: stored }) {
      const checks = Checks.parse(parseJson(stored))
      const config = await configurationOf(provider)
      const { issuer } = config.serverMetadata()
      if (issuer !== checks.issuer) {
        throw new ProviderError(
          'invalid-answer',
          `The login began at the issuer ${checks.issuer}, and the provider is now ${issuer}`,
        )
      }
      try {
        const url = new URL(returnUrl)
        url.search = search
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        })
        const idClaims = tokens.claims()
        if (idClaims === undefined) throw new TypeError('The answer has no ID token')
        assertSubject(idClaims.sub)
        const claims = await allClaims(config, {
          provider,
          log,
          accessToken: tokens.access_token,
          idClaims,
        })
        return {
          person: personIn(claims, provider.claims, idClaims.sub),
          names: {
            givenName: nameIn(claims[provider.claims.firstName]),
            familyName: nameIn(claims[provider.claims.lastName]),
          },
          claims,
          sessionProof: tokens.id_token,
        }
      } catch (error) {
        throw providerError(error)
      }
    },

    async logoutUrl({ proof, returnUrl }) {
      const config = await configurationOf(provider)
      if (config.serverMetadata().end_session_endpoint === undefined) return undefined
      const parameters = {
        post_logout_redirect_uri: returnUrl,
        ...(proof === undefined ? {} : { id_token_hint: proof }),
      }
      return endpointUrl(() => oidc.buildEndSessionUrl(config, parameters)).href
    },
  })
}

/** The only provider known to reject `login`. */
const GOOGLE = 'https://accounts.google.com'

/**
 * Makes the provider ask which account to use. Every provider must support `login`, but some reject `select_account`. Few list
 * what they support.
 */
function promptOf({ issuer, ...metadata }: oidc.ServerMetadata): { prompt?: string } {
  const listed = z.array(z.string()).safeParse(metadata['prompt_values_supported']).data
  const supported = listed ?? (issuer === GOOGLE ? ['select_account'] : ['login'])
  const prompt = ['select_account', 'login'].find((value) => supported.includes(value))
  return prompt === undefined ? {} : { prompt }
}

/** Builds the URL of an endpoint. @throws ProviderError - if the metadata has no usable address for it */
function endpointUrl(build: () => URL): URL {
  try {
    return build()
  } catch (error) {
    throw providerError(error)
  }
}

/** The header, which every provider must support, unless the provider only accepts the secret in the body. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [byHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    // Some providers do not form-decode the header (RFC 6749 2.3.1) and would reject a secret with a hyphen.
    const authenticate = methods.includes('client_secret_post') ? inBody : byHeader
    return authenticate(server, client, body, headers)
  }
}

/** The algorithms with which user info may be signed. The secret of the client is no key: every signature has a published one. */
const USER_INFO_ALGORITHMS =
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Adds the algorithms to metadata without them: they are optional there, but the library requires them. */
async function withUserInfoAlgorithms(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const metadata = Fields.safeParse(parseJson(await response.clone().text())).data
  if (metadata === undefined) return response
  const algorithms = { userinfo_signing_alg_values_supported: USER_INFO_ALGORITHMS }
  return Response.json({ ...algorithms, ...metadata })
}

/** The claims of the ID token, and those of the provider's user info if the address, the names or required groups are missing. */
async function allClaims(
  config: oidc.Configuration,
  {
    provider: { id, claims, requiresGroup },
    log,
    accessToken,
    idClaims,
  }: {
    readonly provider: OpenIdProvider
    readonly log: Logger
    readonly accessToken: string
    readonly idClaims: oidc.IDToken
  },
): Promise<Readonly<Record<string, unknown>>> {
  const { email, firstName, lastName, groups } = claims
  const has = (name: string) => Object.hasOwn(idClaims, name)
  const hasGroups = !requiresGroup || has(groups) || omitsGroups(idClaims, groups)
  const isComplete = has(email) && (has(firstName) || has(lastName)) && hasGroups
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return idClaims
  try {
    return { ...(await oidc.fetchUserInfo(config, accessToken, idClaims.sub)), ...idClaims }
  } catch (error) {
    const failure = providerError(error)
    // Names are optional for a login.
    if (has(email) && hasGroups) {
      log.warn(
        { err: failure, provider: id },
        'the user info of an identity provider could not be read, so the names are missing',
      )
      return idClaims
    }
    throw new ProviderError(failure.code, 'The user info could not be read', {
      cause: failure,
      data: failure.data,
    })
  }
}

/**
 * Whether the provider left the groups out because there are too many. Entra ID refers to its own API instead (distributed claims,
 * OpenID Connect Core 5.6.2) or says only that the person has groups.
 */
function omitsGroups(claims: Readonly<Record<string, unknown>>, name: string): boolean {
  const elsewhere = Fields.safeParse(claims['_claim_names']).data ?? {}
  const hasGroups = [true, 'true'].some((value) => claims['hasgroups'] === value)
  return Object.hasOwn(elsewhere, name) || (hasGroups && name === 'groups')
}

function personIn(
  claims: Readonly<Record<string, unknown>>,
  names: z.output<typeof ClaimNames>,
  subject: string,
) {
  const email = claims[names.email]
  const groups = claims[names.groups]
  const verified = claims['email_verified']
  return {
    subject,
    email: typeof email === 'string' ? emailAddress(email) : undefined,
    // Some providers send the string "false", which would be truthy.
    emailVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    groups: (Array.isArray(groups) ? groups : [groups]).filter(
      (group): group is string => typeof group === 'string',
    ),
    groupsOmitted: omitsGroups(claims, names.groups),
  }
}

function providerError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof oidc.AuthorizationResponseError) {
    return new ProviderError('declined', answered(error), { cause: error })
  }
  const code = isUnreachable(error) ? 'unavailable' : 'invalid-answer'
  return new ProviderError(code, messageOf(error), { cause: error, data: mismatchIn(error) })
}

/** What the provider says is wrong; the messages of the library do not contain it. */
function messageOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError) return answered(error)
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    const [challenge] = error.cause
    return answered({ error: `status ${error.status}`, ...challenge?.parameters })
  }
  return (error as Error).message
}

const answered = (found: { readonly error: string; readonly error_description?: string }) =>
  ['The provider answered', found.error, found.error_description].filter(Boolean).join(' ')

/** Whether the provider did not respond. */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true
  if (cause instanceof Response && cause.status >= 500) return true
  // The codes of system errors, such as ECONNREFUSED; the library wraps them.
  return (
    (code !== undefined && /^E[A-Z]+$/.test(code)) ||
    (cause instanceof Error && isUnreachable(cause))
  )
}

/** The expected and actual values of a failed check. The usual setup mistake is a wrong issuer. */
export const MismatchData = z.object({
  field: z.string(),
  expected: z.unknown(),
  found: z.unknown(),
})

type Mismatch = z.output<typeof MismatchData>

/** The library attaches it to the innermost error. */
function mismatchIn(error: unknown): Mismatch | undefined {
  if (error instanceof Error) return mismatchIn(error.cause)
  const found = Finding.safeParse(error).data
  if (found === undefined) return undefined
  const { expected, claim, claims = {}, attribute, body = {} } = found
  const field = claim ?? attribute ?? ''
  return { field, expected, found: { ...body, ...claims }[field] }
}

const Fields = z.record(z.string(), z.unknown())

const Finding = z.object({
  expected: z.unknown(),
  claim: z.optional(z.string()),
  claims: z.optional(Fields),
  attribute: z.optional(z.string()),
  body: z.optional(Fields),
})
