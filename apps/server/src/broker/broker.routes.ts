/** Routes for §7.5, and the callback to which identity providers return the browser. */
import { BROKER, BROKER_PATH, USER_TYPES } from '@portico/contracts/broker'
import { Refusal } from '@portico/contracts/errors'
import { ROUTER_BASE, SSO_SETUP_PATH } from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BrandAppearance, Brands } from '../brands/brands.ts'
import { escapeHtml } from '../escape-html.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, enforceRateLimit, serve } from '../http/serve.ts'
import type { LoginMetrics } from '../operations/login-metrics.ts'
import { sha256 } from '../secrets/hashes.ts'
import type { Stores } from '../stores.ts'
import { beginProviderLogin } from './begin-login.ts'
import { brokerSession } from './broker-session.ts'
import { type BrokerDeps, type CompletedLogin, completeProviderLogin } from './complete-login.ts'
import { linkAccount } from './link-account.ts'
import { cookieNameOf } from './login-state.ts'
import { serviceProviderOf } from './providers.ts'
import { sendRefusalPage } from './refusal-page.ts'
import { RELAY_STATE, SAML_RESPONSE } from './saml.ts'
import { testSignIns } from './setup/test-sign-in.ts'

/** A route parameter. Restricted to characters that every database accepts in a lookup. */
const PROVIDER_ID = String.raw`:providerId(^[\w-]+$)`

/** The pages to which the callback leads. */
const LOGIN_PATH = `${ROUTER_BASE}/login`

interface BrokerRouteDeps extends BrokerDeps {
  readonly stores: BrokerDeps['stores'] & Pick<Stores, 'providerSetups' | 'providerTests'>
  readonly brands: Brands
  readonly loginMetrics: LoginMetrics
}

export function broker(edge: Edge, deps: BrokerRouteDeps): void {
  const { countLogin, countProviderRefusal } = deps.loginMetrics
  const begin = beginProviderLogin(deps)
  const complete = completeProviderLogin(deps)
  const { complete: completeTest } = testSignIns(deps)
  const link = linkAccount(deps)
  const session = brokerSession({ ...deps, sessions: edge.sessions })

  for (const userType of USER_TYPES) {
    const { beginLogin, redeemLogin, linkAccount, sendLinkCode, readIdentity, logOut } =
      BROKER[userType]
    serve(edge, beginLogin, ({ body, visitor }) => begin(userType, body, visitor), COSTLY)
    serve(
      edge,
      redeemLogin,
      ({ body, visitor }) =>
        countLogin('provider', () => session.redeem(userType, body.state, visitor)),
      COSTLY,
    )
    serve(
      edge,
      linkAccount,
      async ({ body, visitor }) => {
        const connected = await countLogin('provider', () => link.connect(userType, body, visitor))
        visitor.dropRefusedProvider()
        return connected
      },
      COSTLY,
    )
    serve(
      edge,
      sendLinkCode,
      ({ body, visitor }) => link.sendCode(userType, body.state, visitor),
      COSTLY,
    )
    serve(edge, readIdentity, (exchange) => session.readIdentity(userType, exchange.session))
    serve(edge, logOut, (exchange) => session.logOut(userType, exchange.session, exchange.visitor))
  }

  async function arrive(
    request: FastifyRequest,
    reply: FastifyReply,
    { state, search }: { readonly state: string | undefined; readonly search: string },
  ) {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `provider callback ${visitor.network}`, COSTLY)
    const { userType, providerId } = request.params as ProviderParams // The route's pattern has both.
    const tested = await completeTest({ userType, providerId, state, search }, visitor)
    if (tested !== undefined) {
      const { organizationCode: orgCode } = tested
      const query = new URLSearchParams({ orgCode, userType, step: 'test' })
      return reply
        .header('cache-control', 'no-store')
        .redirect(`${ROUTER_BASE}${SSO_SETUP_PATH}?${query}`, 303)
    }
    const completed = await complete(
      { userType, providerId, state, search, requestId: request.id },
      visitor,
    )
    const { organization } = visitor
    if (completed.kind === 'signedIn') visitor.dropRefusedProvider()
    else if (completed.provider !== undefined && mayBeWrongAccount(completed)) {
      visitor.keepRefusedProvider(completed.provider.id)
    }
    if (completed.kind === 'refused') {
      countProviderRefusal(completed.reason)
      return sendRefusalPage(reply, completed, deps.brands.appearanceOf(organization))
    }
    const query = new URLSearchParams({
      state: state ?? '',
      orgCode: organization.orgCode,
      ...(completed.kind === 'linkable' ? { step: 'link' } : {}),
    })
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${LOGIN_PATH}?${query}`, request.method === 'POST' ? 303 : 302)
  }

  const callback = `${BROKER_PATH}/:userType/callback/${PROVIDER_ID}`
  // A login would replace the session.
  edge.app.get(callback, { config: { impersonation: 'refused' } }, (request, reply) => {
    const { state } = request.query as { state?: unknown }
    return arrive(request, reply, {
      state: typeof state === 'string' ? state : undefined,
      search: /\?.*$/.exec(request.url)?.[0] ?? '',
    })
  })

  void edge.app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    forms.post(callback, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const state = form.get(RELAY_STATE) ?? ''
      const visitor = edge.visitor(request, reply)
      const isSameSite = visitor.providerLoginCookie(cookieNameOf(sha256(state))) !== undefined
      if (isSameSite || form.has(RESUBMITTED)) {
        return arrive(request, reply, { state, search: `?${form}` })
      }
      return sendResubmitPage(reply, form, deps.brands.appearanceOf(visitor.organization))
    })

    // Our own session has already ended, so the provider's response changes nothing.
    forms.route({
      method: ['GET', 'POST'],
      url: `${BROKER_PATH}/:userType/logout/:providerId`,
      handler: (_request, reply) => reply.redirect(LOGIN_PATH, 303),
    })
  })

  edge.app.get(`${BROKER_PATH}/:userType/metadata/${PROVIDER_ID}`, async (request, reply) => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `provider metadata ${visitor.network}`, COSTLY)
    const { userType, providerId } = request.params as ProviderParams // The route's pattern has both.
    const provider = await deps.stores.providers.findById(providerId)
    const setup = await deps.stores.providerSetups.find(providerId)
    const isSaml =
      (provider?.enabledAt !== null && provider?.protocol === 'saml') || setup?.protocol === 'saml'
    if (provider?.userType !== userType || !isSaml) throw new Refusal('not-found')
    const { metadataOf } = await import('./saml-messages.ts')
    return reply
      .type('application/samlmetadata+xml')
      .send(metadataOf(serviceProviderOf(provider, visitor)))
  })
}

/**
 * Whether another account at the provider could help. Without a new choice, the provider would answer about the same account
 * again. The account that is offered to connect may be the wrong one too.
 */
function mayBeWrongAccount(completed: CompletedLogin): boolean {
  return completed.kind !== 'refused' || !OTHER_CAUSES.includes(completed.reason)
}

/** Refusals that do not depend on the account at the provider. */
const OTHER_CAUSES: readonly Extract<CompletedLogin, { kind: 'refused' }>['reason'][] = [
  'expired',
  'invalid-answer',
  'too-many-codes',
  'unavailable',
]

interface ProviderParams {
  readonly userType: string
  readonly providerId: string
}

/** A SAML response is at most 256 kB of base64, with some characters percent-encoded. */
const MAX_FORM_BYTES = 400 * 1024

/** Set in the form that our own page submitted. */
const RESUBMITTED = 'sent-again'

/**
 * Resubmits a SAML provider's form from our own page. On the provider's cross-site POST the browser omits the login cookie,
 * which is `SameSite=Lax`.
 */
function sendResubmitPage(
  reply: FastifyReply,
  form: URLSearchParams,
  { organization: { companyInfo }, css }: BrandAppearance,
): FastifyReply {
  const { name, logoPath, darkLogoPath } = companyInfo
  const fields = [SAML_RESPONSE, RELAY_STATE].map(
    (field) => `<input type="hidden" name="${field}" value="${escapeHtml(form.get(field) ?? '')}">`,
  )
  return sendPlainPage(reply.header('cache-control', 'no-store'), {
    title: `Logging you in | ${name}`,
    heading: 'Logging you in…',
    brand: { css, name, logoPath, darkLogoPath },
    form: 'at-once',
    html: `<form method="post">${fields.join('')}<input type="hidden" name="${RESUBMITTED}" value="true">
<noscript><button>Continue</button></noscript></form>`,
  })
}
