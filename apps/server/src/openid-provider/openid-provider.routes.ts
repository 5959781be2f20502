/**
 * Portico as the OpenID Connect provider of the lender's own applications. The library implements the protocol; users log in
 * on our pages and have one of our sessions.
 */
import type { IncomingMessage } from 'node:http'
import { DEFAULT_REDIRECT, MAX_SESSION_MS, ROUTER_BASE } from '@portico/contracts/limits'
import { readPayload } from '@portico/keys/read-jwt'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import type { BrandAppearance, Brands } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import { escapeHtml } from '../escape-html.ts'
import { assertSameOrigin } from '../http/csrf.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { COSTLY, PAGES } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import { openSigningKeys } from '../tokens/signing-keys.ts'
import { startBackChannelLogout } from './back-channel-logout.ts'
import type { ClientFile } from './client-file.ts'
import {
  carriedClient,
  carriedRequest,
  INTERACTION_PATH,
  sendExpiredPage,
  sendUnknownExpiredPage,
} from './expired-sign-in.ts'
import { type IdentifiedRequest, identityToken } from './identity-token.ts'
import { type LogoutRequest, readLogoutRequest } from './logout.ts'
import type { OpenidMetrics } from './metrics.ts'
import { OPENID_PATH, type OpenidRefusal, openProvider } from './open-provider.ts'
import { loginOf } from './provider-session.ts'
import { type NextStep, nextStep, requirementsOf } from './requirements.ts'
import { findOwnSignIn, type OwnSignIn, RESUME_COOKIE, restartSignIn } from './sign-in-browser.ts'

/** High, because all requests from a lender's server come from one address. */
const CALLS: RateLimitRule = { allowed: 30_000, windowMs: 60 * 1000 }
/** Without `PUBLIC_URL` each origin has its own issuer. */
const MAX_ISSUERS = 8
const LOGOUT_PATH = `${OPENID_PATH}/logout`
/** The field of the form in which the user confirms the logout. */
const CONFIRMED = 'confirmed'

/** An operator viewing a person's pages gets no tokens for that person. */
const NOT_VIEWED = { config: { impersonation: 'refused' } } as const

interface OpenidProviderDeps {
  readonly stores: AllStores
  readonly vault: Vault
  readonly clock: Clock
  readonly metrics: OpenidMetrics
  readonly log: Logger
  readonly clients: readonly ClientFile[]
  readonly publicUrl: string | undefined
  readonly brands: Pick<Brands, 'appearanceOf'>
  readonly refreshGroup: (groupPolicyAddress: string) => Promise<boolean>
  /** Ends the session of a browser. */
  readonly signOut: (visitor: Visitor) => Promise<void>
}

export interface OpenidProvider {
  /** The token that identifies the user in a request forwarded to the lender's application. */
  readonly identityToken: (
    visitor: Visitor,
    session: OpenSession,
    request: IdentifiedRequest,
  ) => string
  readonly refreshKeys: () => Promise<void>
  readonly stop: () => Promise<void>
}

const ENDPOINTS =
  /^\/oidc\/(?:\.well-known|authorize|introspect|jwks|logout|par|revoke|token|userinfo)(?:[/?]|$)/

/** A request that begins a sign-in, or one that continues it. */
const AUTHORIZATION = /^\/oidc\/authorize(?:\/(?<uid>[\w-]+))?(?:[/?]|$)/

/** Whether the browser, a link checker or a preview only looks whether there is a page. */
function isPrefetch({ method, headers }: FastifyRequest): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-moz']].flat()
  return method === 'HEAD' || purposes.some((purpose) => purpose?.includes('prefetch'))
}

/** Whether an earlier version may have begun the sign-in. */
const hasResumeCookie = ({ headers }: FastifyRequest) =>
  headers.cookie?.includes(RESUME_COOKIE) === true

export async function openidProvider(
  edge: Edge,
  deps: OpenidProviderDeps,
): Promise<OpenidProvider> {
  const { stores, vault, clock, metrics, log, publicUrl, brands, signOut } = deps
  const keys = await openSigningKeys(deps, {
    table: 'openidKeys',
    purpose: 'openid key',
    namedCurve: 'P-256',
    // ID tokens are accepted as hints until the session ends.
    tokenLifetimeMs: MAX_SESSION_MS,
  })
  const clients = new Map(
    deps.clients.filter(({ enabled }) => enabled).map((client) => [client.clientId, client]),
  )
  const sessions = new WeakMap<IncomingMessage, OpenSession>()
  const browsers = new WeakMap<IncomingMessage, string>()
  const signIns = new WeakMap<IncomingMessage, OwnSignIn>()
  const visitors = new WeakMap<IncomingMessage, Visitor>()
  const providers = new Map<string, { readonly keyIds: string; opened: Promise<OpenProvider> }>()

  interface OpenProvider {
    readonly provider: Provider
    readonly handle: ReturnType<Provider['callback']>
  }

  /** The provider for an origin, reopened when the keys change. */
  function providerAt(origin: string): Promise<OpenProvider> {
    const current = keys.current()
    const ordered = [current, ...keys.all().filter(({ id }) => id !== current.id)]
    const keyIds = ordered.map(({ id }) => id).join()
    const known = providers.get(origin)
    if (known?.keyIds === keyIds) return known.opened
    const [oldest] = providers.keys()
    if (oldest !== undefined && providers.size >= MAX_ISSUERS) providers.delete(oldest)
    const opened = openProvider({
      issuer: `${origin}${OPENID_PATH}`,
      clients,
      keys: ordered,
      cookieKeys: vault.macs('openid cookies', 'key'),
      stores,
      clock,
      metrics,
      log,
      sessionOf: ({ req }) => sessions.get(req),
      browserOf: ({ req }) => browsers.get(req),
      ownSignInOf: ({ req }) => signIns.get(req),
      extend: edge.sessions.extend,
      noteRefusal(request, refusal) {
        const visitor = request && visitors.get(request)
        if (visitor !== undefined) noteRefusal(visitor, refusal)
      },
      refreshGroup: deps.refreshGroup,
    }).then((provider) => ({ provider, handle: provider.callback() }))
    providers.set(origin, { keyIds, opened })
    return opened
  }

  /** The organization is the application's. */
  function noteRefusal(visitor: Visitor, { client, ...details }: OpenidRefusal): void {
    const { organization: page, network } = visitor
    edge.boundedAudit.noteRefusal(
      'openid-refused',
      { details: { ...details, ...(client && { client: client.clientId }) } },
      { network, organization: client ? { orgCode: client.organization } : page },
    )
  }

  const originOf = ({ linkOrigin }: Visitor) => publicUrl ?? linkOrigin
  const providerOf = (visitor: Visitor) => providerAt(originOf(visitor))

  const arrive = async (
    request: FastifyRequest,
    reply: FastifyReply,
    rule: RateLimitRule,
  ): Promise<Visitor> => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `openid ${rule.allowed} ${visitor.network}`, rule)
    return visitor
  }

  /** The page of a sign-in that has ended. Its address may carry the application's request. */
  function sendExpired(reply: FastifyReply, visitor: Visitor): FastifyReply {
    const query = new URLSearchParams(/\?(.*)$/.exec(reply.request.url)?.[1])
    const client = clients.get(carriedClient(query))
    if (client === undefined) return sendUnknownExpiredPage(reply)
    if (visitor.serves(client.organization)) visitor.useOrganization(client.organization)
    return sendExpiredPage(reply, query, client, brands.appearanceOf(visitor.organization))
  }

  /** The page of a sign-in that another tab or browser began. */
  async function sendOtherSignIn(
    reply: FastifyReply,
    visitor: Visitor,
    uid: string,
  ): Promise<FastifyReply> {
    const { provider } = await providerOf(visitor)
    const { params = {} } = (await provider.Interaction.find(uid)) ?? {}
    const client = clients.get(params['client_id'] ?? '')
    if (client === undefined) return sendExpired(reply, visitor)
    // The cookie of this tab's sign-in was overwritten. A browser without one began none, or blocks cookies.
    if (visitor.openidBrowsers.length === 0) {
      noteRefusal(visitor, { call: 'interaction', reason: 'other_browser', client })
      return sendExpired(reply, visitor)
    }
    if (visitor.serves(client.organization)) visitor.useOrganization(client.organization)
    const { redirect_uri: returnTo = client.redirectUris[0] } = params
    return sendContinuePage(
      reply,
      { uid, client, returnTo },
      brands.appearanceOf(visitor.organization),
    )
  }

  edge.app.get(`${INTERACTION_PATH}/:uid`, NOT_VIEWED, async (request, reply) => {
    const visitor = await arrive(request, reply, PAGES)
    const { provider } = await providerOf(visitor)
    const { uid } = request.params as { uid: string } // The route's pattern has it.
    const isOwn = (await findOwnSignIn(stores, visitor, uid)) !== undefined
    const interaction = isOwn
      ? await provider.Interaction.find(uid)
      : // A sign-in that an earlier version began has a cookie of its own.
        await provider.interactionDetails(request.raw, reply.raw).catch((error: Error) => {
          if (error.name === 'SessionNotFound') return undefined
          throw error
        })
    if (interaction?.uid !== uid) return sendOtherSignIn(reply, visitor, uid)
    const { params } = interaction
    const client = clients.get(params['client_id'] ?? '')
    const started = await stores.openid.findRecord('Interaction', uid)
    if (client === undefined || started === undefined) {
      return sendExpired(reply, visitor)
    }
    void reply.header('cache-control', 'no-store')
    const session = await edge.sessions.ofCookie(visitor.sessionCookie)
    const provenSince = started.createdAt
    const step = nextStep(session, requirementsOf(params, client), { at: clock(), provenSince })
    if (session === undefined || step !== undefined) {
      return reply.redirect(pageOf(step, { uid, params, client, session }), 303)
    }
    const isOther = isOtherThanHint(params['id_token_hint'], session)
    if (isOther && session.confirmedAt < provenSince) {
      return reply.redirect(pageOf('log-in', { uid, params, client, session }), 303)
    }
    interaction.result = isOther
      ? { error: 'login_required', error_description: 'another user logged in' }
      : { login: loginOf(session), consent: {} }
    await interaction.persist()
    return reply.redirect(interaction.returnTo, 303)
  })

  /** Ends the session, or asks first. */
  async function logOut(
    reply: FastifyReply,
    visitor: Visitor,
    { query, isConfirmed }: { readonly query: URLSearchParams; readonly isConfirmed: boolean },
  ): Promise<FastifyReply> {
    void reply.header('cache-control', 'no-store')
    const { provider } = await providerOf(visitor)
    const session = await edge.sessions.ofCookie(visitor.sessionCookie)
    const logout = await readLogoutRequest(provider, query, session)
    if (logout === undefined) {
      noteRefusal(visitor, { call: 'logout', reason: 'invalid_request', client: undefined })
      return sendRefusedLogout(reply)
    }
    if (session !== undefined && !logout.isProven && !isConfirmed) {
      return sendLogoutQuestion(reply, logout, brands.appearanceOf(visitor.organization))
    }
    await signOut(visitor)
    return reply.redirect(logout.returnTo ?? `${ROUTER_BASE}/login`, 303)
  }

  void edge.app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    forms.get(LOGOUT_PATH, NOT_VIEWED, async (request, reply) => {
      const visitor = await arrive(request, reply, PAGES)
      const query = new URLSearchParams(/\?(.*)$/.exec(request.url)?.[1])
      return logOut(reply, visitor, { query, isConfirmed: false })
    })
    forms.post(LOGOUT_PATH, async (request, reply) => {
      const visitor = await arrive(request, reply, PAGES)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      // The browser omitted our cookie from the cross-site POST; it sends it with the next request.
      if (!form.has(CONFIRMED)) return reply.redirect(`${LOGOUT_PATH}?${form}`, 303)
      assertSameOrigin(request, visitor.origin)
      return logOut(reply, visitor, { query: form, isConfirmed: true })
    })
    forms.post(`${INTERACTION_PATH}/:uid`, NOT_VIEWED, async (request, reply) => {
      const visitor = await arrive(request, reply, PAGES)
      assertSameOrigin(request, visitor.origin)
      const { uid } = request.params as { uid: string } // The route's pattern has it.
      const isOther = (await findOwnSignIn(stores, visitor, uid)) === undefined
      if (isOther && visitor.openidBrowsers.length > 0) {
        await restartSignIn(stores, visitor, { uid, at: clock() })
      }
      return reply.redirect(`${INTERACTION_PATH}/${uid}`, 303)
    })
  })

  void edge.app.register(async (calls) => {
    // The library parses bodies itself.
    calls.removeAllContentTypeParsers()
    calls.addContentTypeParser('*', (_request, _payload, done) => done(null))
    calls.all(`${OPENID_PATH}/*`, NOT_VIEWED, async (request, reply) => {
      // The library responds to other paths with a bare line of text.
      if (!ENDPOINTS.test(request.url)) return reply.callNotFound()
      const authorization = AUTHORIZATION.exec(request.url)?.groups
      const isPage = authorization !== undefined
      if (isPage && isPrefetch(request)) {
        return reply.code(503).header('cache-control', 'no-store').send()
      }
      const visitor = await arrive(request, reply, isPage ? PAGES : CALLS)
      const session = isPage ? await edge.sessions.ofCookie(visitor.sessionCookie) : undefined
      const uid = authorization?.['uid']
      const signIn = uid && (await findOwnSignIn(stores, visitor, uid))
      if (signIn) {
        // The account was changed after the user logged in for this sign-in, for example in another tab.
        if (signIn.accountId !== undefined && signIn.accountId !== session?.identityId) {
          return reply.redirect(`${INTERACTION_PATH}/${signIn.uid}`, 303)
        }
        signIns.set(request.raw, signIn)
      } else if (uid && !hasResumeCookie(request)) {
        return reply.redirect(`${INTERACTION_PATH}/${uid}`, 303)
      } else if (isPage) {
        if (session === undefined) {
          // It is stored until the user logs in.
          await enforceRateLimit(edge.rateLimit, `openid begin ${visitor.network}`, COSTLY)
        }
        browsers.set(request.raw, sha256(visitor.keepOpenidBrowser()))
      }
      const { provider, handle } = await providerOf(visitor)
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      const raw = Object.assign(request.raw, { originalUrl: request.url })
      visitors.set(raw, visitor)
      raw.url = request.url.slice(OPENID_PATH.length)
      if (provider.proxy) raw.headers['x-forwarded-proto'] = 'https'
      if (session !== undefined) sessions.set(raw, session)
      return handle(raw, reply.raw)
    })
  })

  const stop = startBackChannelLogout({
    stores,
    clock,
    metrics,
    log,
    providerOf: async (issuer) => (await providerAt(new URL(issuer).origin)).provider,
  })
  return {
    identityToken: (visitor, session, request) =>
      identityToken(session, request, {
        issuer: `${originOf(visitor)}${OPENID_PATH}`,
        key: keys.current(),
        at: clock(),
      }),
    refreshKeys: keys.refresh,
    stop,
  }
}

/** The page of the user's next step, which then returns to the interaction. */
function pageOf(
  step: NextStep | undefined,
  {
    uid,
    params,
    client,
    session,
  }: {
    readonly uid: string
    readonly params: Readonly<Record<string, string | undefined>>
    readonly client: ClientFile
    readonly session: OpenSession | undefined
  },
): string {
  const hint = params['login_hint']
  const query = new URLSearchParams({
    orgCode: client.organization,
    redirectUrl: `${INTERACTION_PATH}/${uid}?${carriedRequest(params, client)}`,
    ...(hint?.includes('@') && { email: hint }),
    // Otherwise the page would redirect a signed-in user straight back.
    ...(session !== undefined && { prompt: 'login' }),
  })
  return `${ROUTER_BASE}/${step === 'confirm' ? 'confirm' : 'login'}?${query}`
}

/** Whether an ID token hint, verified by the library, belongs to another user. */
function isOtherThanHint(idToken: string | undefined, { identityId }: OpenSession): boolean {
  if (idToken === undefined) return false
  const payload = readPayload(idToken) as { readonly sub?: unknown } | undefined
  return payload?.sub !== identityId
}

/** One press continues the sign-in of this tab with the application's request. */
function sendContinuePage(
  reply: FastifyReply,
  {
    uid,
    client,
    returnTo,
  }: {
    readonly uid: string
    readonly client: ClientFile
    readonly returnTo: string | undefined
  },
  { organization: { companyInfo }, css }: BrandAppearance,
): FastifyReply {
  const { name, logoPath, darkLogoPath } = companyInfo
  const application = escapeHtml(client.name)
  return sendPlainPage(reply.code(409).header('cache-control', 'no-store'), {
    title: `Log in to ${client.name} | ${name}`,
    heading: `Log in to ${client.name}`,
    brand: { css, name, logoPath, darkLogoPath },
    form: 'by-user',
    formLeadsTo: formTarget(returnTo),
    html: `<p>Several logins began in this browser at the same time. Continue, and you return to ${application} when you are logged in.</p>
<form method="post" action="${INTERACTION_PATH}/${uid}"><p><button>Continue to log in</button></p></form>`,
  })
}

/** What a form that redirects to an address may lead to: its origin, or the scheme of an application on the device. */
function formTarget(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url === null ? undefined : url.origin === 'null' ? url.protocol : url.origin
}

function sendRefusedLogout(reply: FastifyReply): FastifyReply {
  return sendPlainPage(reply.code(400), {
    title: 'This link does not work',
    heading: 'This link does not work',
    html: `<p>The application sent a request to log out that is not valid. To log out here, go to your dashboard.</p>
<p><a href="${DEFAULT_REDIRECT}">Go to your dashboard</a></p>`,
  })
}

function sendLogoutQuestion(
  reply: FastifyReply,
  { params, returnTo }: LogoutRequest,
  { organization: { companyInfo }, css }: BrandAppearance,
): FastifyReply {
  const { name, logoPath, darkLogoPath } = companyInfo
  const fields = [...params, [CONFIRMED, 'true'] as const].map(
    ([field, value]) =>
      `<input type="hidden" name="${escapeHtml(field)}" value="${escapeHtml(value)}">`,
  )
  return sendPlainPage(reply, {
    title: `Log out | ${name}`,
    heading: 'Do you want to log out?',
    brand: { css, name, logoPath, darkLogoPath },
    form: 'by-user',
    formLeadsTo: returnTo && new URL(returnTo).origin,
    html: `<p>You will be logged out here and in all applications in which you logged in with this session.</p>
<form method="post" action="${LOGOUT_PATH}">${fields.join('')}<p><button>Log out</button></p></form>
<p><a href="${DEFAULT_REDIRECT}">Stay logged in</a></p>`,
  })
}
