/** Configures the library: client permissions, lifetimes, and the parts that we replace. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { MAX_SESSION_MS, OPENID_SIGN_IN_LIFETIME_MS } from '@portico/contracts/limits'
import type { Context, Interaction, Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { outboundFetch } from '../http/outbound-fetch.ts'
import { plainPage } from '../http/plain-page.ts'
import { constantTimeEqual } from '../secrets/hashes.ts'
import type { OpenSession, OpenSessionRow, Sessions } from '../sessions/sessions.ts'
import type { Stores } from '../stores.ts'
import type { SigningKey } from '../tokens/signing-keys.ts'
import { ONE_FACTOR, TWO_FACTORS } from './authentication.ts'
import { claimsOf } from './claims.ts'
import { type ClientFile, SCOPE_CLAIMS } from './client-file.ts'
import { grantOf } from './grant.ts'
import type { OpenidMetrics } from './metrics.ts'
import { SESSION_COOKIE_NAME, useOwnSessions } from './provider-session.ts'
import { recordsAdapter } from './records-adapter.ts'
import { useRefreshGrace } from './refresh-grace.ts'
import { nextStep, requirementsOf } from './requirements.ts'
import {
  INTERACTION_COOKIE,
  type OwnSignIn,
  RESUME_COOKIE,
  useBrowserBinding,
} from './sign-in-browser.ts'

/** The path of the issuer. */
export const OPENID_PATH = '/oidc'

const ACCESS_TOKEN_S = 10 * 60
const CODE_S = 60
const PUSHED_REQUEST_S = 60
const INTERACTION_S = OPENID_SIGN_IN_LIFETIME_MS / 1000
/** The longest lifetime of a session. No grant outlives its session. */
const GRANT_S = MAX_SESSION_MS / 1000

const RESPONSE_MODES = ['query']

/** The library's events about refused requests. */
const REFUSALS = [
  'authorization.error',
  'grant.error',
  'introspection.error',
  'pushed_authorization_request.error',
  'revocation.error',
  'userinfo.error',
] as const

/** Answers to a request that shows no page, which applications send to find out whether the user is logged in. */
const ORDINARY_ERRORS: readonly string[] = [
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
]

const CLIENT_AUTHENTICATION = {
  secret: 'client_secret_basic',
  'private-key': 'private_key_jwt',
  none: 'none',
} as const

/** A refused request, for the audit log. */
export interface OpenidRefusal {
  readonly call: string
  /** The error of the protocol. */
  readonly reason: string
  readonly client: ClientFile | undefined
}

export interface ProviderDeps {
  readonly issuer: string
  readonly clients: ReadonlyMap<string, ClientFile>
  /** The current signing key first, then the other published keys. */
  readonly keys: readonly SigningKey[]
  /** The current cookie signing key first, then keys that only verify cookies of logins in progress. */
  readonly cookieKeys: readonly string[]
  readonly stores: Pick<Stores, 'openid' | 'sessions'>
  readonly clock: Clock
  readonly metrics: OpenidMetrics
  readonly log: Logger
  /** Our session for a request to the provider. */
  readonly sessionOf: (context: Context) => OpenSession | undefined
  /** The hash of the secret of the browser that sends a request. */
  readonly browserOf: (context: Context) => string | undefined
  /** The sign-in that a request continues, if this browser began it. */
  readonly ownSignInOf: (context: Context) => OwnSignIn | undefined
  readonly extend: Sessions['extend']
  readonly noteRefusal: (request: IncomingMessage | undefined, refusal: OpenidRefusal) => void
  /** Ends memberships that have ended on the chain, in sessions too (§6). */
  readonly refreshGroup: (groupPolicyAddress: string) => Promise<boolean>
}

export async function openProvider(deps: ProviderDeps): Promise<Provider> {
  const { issuer, clients, keys, cookieKeys, stores, clock, log, sessionOf, extend } = deps
  const { browserOf, ownSignInOf } = deps
  const { errors, interactionPolicy, Provider } = await import('oidc-provider')
  const { Check } = interactionPolicy

  const policy = interactionPolicy.base()
  // The lender's own applications need no consent.
  policy.get('consent').checks.remove('native_client_prompt')
  const { checks } = policy.get('login')
  checks.remove('max_age')
  /** The session of a request, if the client may get a grant for it. */
  const sufficientSession = (context: Context): OpenSession | undefined => {
    const { client, params = {}, result } = context.oidc
    const file = clients.get(client?.clientId ?? '')
    const session = sessionOf(context)
    if (file === undefined) return undefined
    const step = nextStep(session, requirementsOf(params, file), {
      at: clock(),
      // The interaction has just checked the login time.
      provenSince: result?.login === undefined ? undefined : 0,
    })
    return step === undefined ? session : undefined
  }
  checks.add(
    new Check('session', 'the user must log in or confirm it', 'login_required', (context) =>
      sufficientSession(context) === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
    ),
  )

  const findSession = async (id: string): Promise<OpenSessionRow | undefined> => {
    const find = async () => (await stores.sessions.findOpen([id], clock())).get(id)
    const session = await find()
    const group = session?.groupPolicyAddress ?? null
    return group !== null && (await deps.refreshGroup(group)) ? find() : session
  }

  const provider: Provider = new Provider(issuer, {
    acrValues: [ONE_FACTOR, TWO_FACTORS],
    adapter: recordsAdapter({
      stores,
      clock,
      errors: {
        reusedGrant: () => new errors.InvalidGrant('already used'),
        reusedRequest: () => new errors.InvalidRequestUri('already used'),
        tooLong: () => new errors.InvalidRequest('the request is too long'),
      },
    }),
    claims: { ...SCOPE_CLAIMS, sid: null, iss: null },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    clientBasedCORS: (
      _context: Context,
      origin: string,
      { clientAuthMethod, redirectUris }: { clientAuthMethod: string; redirectUris: string[] },
    ) =>
      clientAuthMethod === 'none' && redirectUris.some((uri) => URL.parse(uri)?.origin === origin),
    clients: [...clients.values()].map(metadataOf),
    conformIdTokenClaims: false,
    cookies: {
      names: {
        session: SESSION_COOKIE_NAME,
        interaction: INTERACTION_COOKIE,
        resume: RESUME_COOKIE,
      },
      keys: [...cookieKeys],
    },
    enabledJWA: { clientAuthSigningAlgValues: ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] },
    expiresWithSession: () => true,
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
      pushedAuthorizationRequests: { enabled: true },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      rpInitiatedLogout: { enabled: true },
    },
    fetch: fetchFrom([...clients.values()]),
    findAccount: async (_context: Context, accountId: string, token?: { sessionUid?: string }) => {
      if (token === undefined) return { accountId, claims: () => ({ sub: accountId }) }
      const session = await findSession(token.sessionUid ?? '')
      return session && { accountId, claims: () => claimsOf(session) }
    },
    interactions: {
      policy,
      url: (_context: Context, { uid }: { uid: string }) => `${OPENID_PATH}/interaction/${uid}`,
    },
    issueRefreshToken: () => true,
    jwks: {
      keys: keys.map(({ id: kid, privateKey }) => ({
        ...privateKey.export({ format: 'jwk' }),
        kid,
        alg: 'ES256',
        use: 'sig',
      })),
    },
    loadExistingGrant: (context: Context) =>
      grantOf({ provider, stores, clock, clients }, context, sufficientSession(context)),
    pkce: { required: () => true },
    renderError: (context: Context, { error }: { error: string }) => {
      const { headers, html } = plainPage({
        title: 'This sign-in cannot continue',
        heading: 'This sign-in cannot continue',
        html: `<p>Go back to the application and try again. If it happens again, tell its support: <code>${error.replace(/\W/g, ' ')}</code></p>`,
      })
      context.set(headers)
      context.body = html
    },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: {
      authorization: '/authorize',
      end_session: '/logout',
      introspection: '/introspect',
      jwks: '/jwks',
      pushed_authorization_request: '/par',
      revocation: '/revoke',
      token: '/token',
      userinfo: '/userinfo',
    },
    scopes: ['openid', 'offline_access'],
    ttl: {
      AccessToken: ACCESS_TOKEN_S,
      AuthorizationCode: CODE_S,
      Grant: GRANT_S,
      IdToken: ACCESS_TOKEN_S,
      Interaction: (context: Context, interaction: Interaction) => {
        interaction.cid = browserOf(context) ?? interaction.cid
        return INTERACTION_S
      },
      PushedAuthorizationRequest: PUSHED_REQUEST_S,
      RefreshToken: GRANT_S,
      Session: GRANT_S,
    },
  })

  provider.Client.prototype.compareClientSecret = function compareClientSecret(
    this: { readonly clientId: string },
    actual,
  ) {
    const hash = createHash('sha256').update(actual).digest('hex')
    const hashes = clients.get(this.clientId)?.secretHashes ?? []
    return hashes.filter((each) => constantTimeEqual(each, hash)).length > 0
  }
  // Applications without a back channel use it at logout to prove that they belong to the session.
  provider.Client.prototype.includeSid = () => true
  useOwnSessions(provider, sessionOf)
  useBrowserBinding(provider, ownSignInOf)
  useRefreshGrace(provider, { stores, clock, contextOf: () => Provider.ctx })
  provider.use(async (context, next) => {
    await next()
    // The library lists all that it implements, but refuses those that no client may use.
    if (context.oidc?.route === 'discovery' && typeof context.body === 'object') {
      Object.assign(context.body, { response_modes_supported: RESPONSE_MODES })
    }
  })
  /** A refresh counts as using the session. */
  async function extendSession(id: string): Promise<void> {
    const session = await findSession(id)
    if (session !== undefined) await extend(session)
  }

  provider.use(async (context, next) => {
    await next()
    const { sessionUid } = context.oidc?.entities.RefreshToken ?? {}
    const isRefreshed = context.status === 200 && context.oidc?.route === 'token'
    if (!isRefreshed || sessionUid === undefined) return
    // The old token is used up, so the client must get the new one.
    await extendSession(sessionUid).catch((error: unknown) =>
      log.warn({ err: error }, 'the session of a refreshed token could not be extended'),
    )
  })
  provider.on('grant.success', ({ oidc }) =>
    deps.metrics.countToken(oidc.params?.['grant_type'], 'issued'),
  )
  provider.on('grant.error', ({ oidc }, { error }) =>
    deps.metrics.countToken(oidc?.params?.['grant_type'], error),
  )
  for (const event of REFUSALS) {
    provider.on(event, (context, { error, error_description, error_detail }) => {
      const { oidc } = context
      const client = clients.get(oidc?.client?.clientId ?? '')
      if (!ORDINARY_ERRORS.includes(error)) {
        deps.noteRefusal(context.req, { call: event.replace('.error', ''), reason: error, client })
      }
      log.info(
        {
          client: oidc?.client?.clientId,
          error,
          reason: [error_description, error_detail].filter(Boolean).join(': '),
        },
        'the OpenID provider refused a request',
      )
    })
  }
  provider.on('server_error', (_context, error) =>
    log.error({ err: error }, 'the OpenID provider failed'),
  )
  provider.proxy = issuer.startsWith('https:')
  return provider
}

function metadataOf(client: ClientFile) {
  return {
    client_id: client.clientId,
    client_name: client.name,
    // Never compared: see `compareClientSecret`.
    ...(client.authentication === 'secret' && { client_secret: client.secretHashes[0] }),
    ...(client.authentication === 'private-key' && { jwks: { keys: client.publicKeys } }),
    token_endpoint_auth_method: CLIENT_AUTHENTICATION[client.authentication],
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    ...(client.backChannelLogoutUri !== undefined && {
      backchannel_logout_uri: client.backChannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: RESPONSE_MODES,
    id_token_signed_response_alg: 'ES256',
    // Clients often request offline_access by default; refresh tokens end with the session anyway.
    scope: [...client.scopes, 'offline_access'].join(' '),
    require_pushed_authorization_requests: client.pushedRequestsOnly,
  }
}

function isOwnToken(
  _context: Context,
  client: { readonly clientId: string },
  token: { readonly clientId: string },
): boolean {
  return token.clientId === client.clientId
}

/** Back-channel logouts may go to private hosts, because only operators write client files. */
function fetchFrom(clients: readonly ClientFile[]) {
  const hosts = clients.flatMap(({ backChannelLogoutUri: uri }) =>
    uri === undefined ? [] : [new URL(uri).host],
  )
  const send = outboundFetch(hosts)
  return (
    url: string,
    {
      method,
      headers,
      body,
      signal,
    }: { method: string; headers: Headers; body: URLSearchParams; signal: AbortSignal },
  ) => send(url, { method, headers: Object.fromEntries(headers), body: body.toString(), signal })
}
