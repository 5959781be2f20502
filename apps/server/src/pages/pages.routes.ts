import { randomBytes } from 'node:crypto'
import { CONSOLE_PATH } from '@portico/contracts/console-page'
import { Refusal } from '@portico/contracts/errors'
import type { ExperimentKey } from '@portico/contracts/experiment-keys'
import { DEFAULT_REDIRECT, IMPERSONATION_MS, ROUTER_BASE } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import { PASSPORT_BASE } from '@portico/rules/gatekeeper'
import { permissionsOf } from '@portico/rules/operator-permissions'
import { loginPathBefore } from '@portico/rules/wallet-redirects'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BotCheck } from '../bot-check/bot-check.ts'
import { type Brands, organizationInfo, pageLabel } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Experiments, PROVIDER_EXPERIMENTS } from '../experiments/experiments.ts'
import { compressPage } from '../http/compress-page.ts'
import { wantsPage } from '../http/error-responses.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { PAGES } from '../http/rate-limits.ts'
import { type Framing, pageHeaders } from '../http/security-headers.ts'
import { type Edge, enforceRateLimit } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import type { OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import type { Tracker } from '../tracker/tracker.ts'
import type { Application } from './application.ts'
import { htmlDocument } from './document.ts'
import { expiryScript } from './expiry-script.ts'
import { unlessUnavailable, withLastKnown } from './last-known.ts'

/** A sign-in at an application, for which a page is open. */
interface PageSignIn {
  /** Where the page returns to. After the expiry this is the page that says so. */
  readonly returnTo: string
  readonly expiresAt: number
}

export interface PageDeps {
  readonly config: Config
  readonly stores: Pick<AllStores, 'identityRoles' | 'providers'>
  readonly brands: Brands
  /** The URL from which an organization's pages load banners. */
  readonly bannersUrlOf: (orgCode: string) => string
  readonly experiments: Experiments
  readonly botCheck: BotCheck
  /** Whether a state is that of this browser's own login at an identity provider. */
  readonly isOwnProviderLogin: (
    state: string,
    visitor: Visitor,
    session: OpenSession | undefined,
  ) => Promise<boolean>
  /** The sign-in at an application that a page returns to, by its `redirectUrl`. */
  readonly signInOf: (redirectUrl: unknown) => Promise<PageSignIn | undefined>
  readonly clock: Clock
  readonly auth: Application
  readonly portal: Application
  readonly wallet: Application
}

/** The path of the hosted wallet (§2.8). */
const HOSTED_WALLET = '/figure-wallet'

/**
 * Page routes: the front door for everyone, the portal for signed-in users, and the hosted wallet for frames in our own
 * pages.
 */
export function pages(edge: Edge, deps: PageDeps): void {
  const { app, visitor: visitorOf, sessions } = edge
  const loginProviders = loginProvidersFrom(deps)

  const sendPage = async (
    application: Application,
    request: FastifyRequest,
    reply: FastifyReply,
    {
      visitor,
      session,
      status = 200,
      framing = 'none',
      signIn,
    }: {
      visitor: Visitor
      session: OpenSession | undefined
      signIn?: PageSignIn | undefined
      status?: number
      framing?: Framing
    },
  ) => {
    // An operator's activity is not counted as the person's.
    const tracker = session?.operator === undefined ? edge.trackerOf(request, reply) : undefined
    const decisions = deps.experiments.decideAll(
      tracker && {
        trackerUuid: tracker.uuid,
        orgCode: visitor.organization.orgCode,
        label: visitor.organization.label?.code,
      },
    )
    const providers =
      application === deps.auth ? await loginProviders(visitor, tracker?.uuid) : NO_PROVIDERS
    const { state } = request.query as { state?: unknown }
    const isProviderReturn =
      application === deps.auth &&
      typeof state === 'string' &&
      (await deps.isOwnProviderLogin(state, visitor, session))
    const isReviewer =
      application === deps.portal &&
      session !== undefined &&
      permissionsOf(await deps.stores.identityRoles.listGrants(session.identityId)).includes(
        'passports.review',
      )
    const page = pageData(deps, request, {
      visitor,
      session,
      isReviewer,
      isProviderReturn,
      tracker,
      decisions,
      providers,
    })
    const rendered = await application.render(page)
    if ('redirect' in rendered) return reply.redirect(rendered.redirect)
    const nonce = randomBytes(16).toString('base64url')
    visitor.keepOrganization(visitor.organization.orgCode)
    void reply.headers(pageHeaders(nonce, deps.config, deps.botCheck.page, framing))
    const html = htmlDocument({
      page,
      title: rendered.title,
      html: rendered.html,
      entry: application.entry(nonce),
      nonce,
      appearance: deps.brands.appearanceOf(visitor.organization),
      ...(signIn && {
        links: `<script nonce="${nonce}">${expiryScript(signIn.expiresAt - deps.clock(), signIn.returnTo)}</script>`,
      }),
    })
    return reply
      .code(rendered.status ?? status)
      .type('text/html; charset=utf-8')
      .send(session === undefined ? await compressPage(request, reply, html) : html)
  }

  const admitVisitor = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = visitorOf(request, reply)
    await enforceRateLimit(edge.rateLimit, `pages ${visitor.network}`, PAGES)
    return visitor
  }

  const identifyVisitor = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await admitVisitor(request, reply)
    const session = await sessions.ofCookie(visitor.sessionCookie)
    return { visitor, session, isViewingEnded: isViewingEnded(visitor, session) }
  }

  // Login and registration open while the database is unavailable, as for a visitor without a session.
  const frontDoor = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await admitVisitor(request, reply)
    const found = await unlessUnavailable(sessions.ofCookie(visitor.sessionCookie))
    const session = found?.result
    if (found !== undefined && isViewingEnded(visitor, session)) return sendViewingEnded(reply)
    const { redirectUrl } = request.query as { redirectUrl?: unknown }
    const signIn = (await unlessUnavailable(deps.signInOf(redirectUrl)))?.result
    // Said before the user types a password.
    if (signIn !== undefined && signIn.expiresAt <= deps.clock()) {
      return reply.redirect(signIn.returnTo)
    }
    return sendPage(deps.auth, request, reply, { visitor, session, signIn })
  }

  // Without a session the frame shows a message instead of a login page: users could not verify its origin in a frame.
  const hostedWallet = async (request: FastifyRequest, reply: FastifyReply) => {
    const { visitor, session, isViewingEnded } = await identifyVisitor(request, reply)
    if (isViewingEnded) return sendViewingEnded(reply)
    return sendPage(deps.wallet, request, reply, { visitor, session, framing: 'own-pages' })
  }

  const signedInOnly = async (request: FastifyRequest, reply: FastifyReply) => {
    const { visitor, session, isViewingEnded } = await identifyVisitor(request, reply)
    if (isViewingEnded) return sendViewingEnded(reply)
    if (session) return sendPage(deps.portal, request, reply, { visitor, session })
    return reply.redirect(loginPathBefore(request.url))
  }

  app.get('/', (_request, reply) => reply.redirect(`${ROUTER_BASE}/login`))
  app.get(ROUTER_BASE, frontDoor)
  app.get(`${ROUTER_BASE}/*`, frontDoor)
  app.get(DEFAULT_REDIRECT, signedInOnly)
  app.get(`${DEFAULT_REDIRECT}/*`, signedInOnly)
  app.get(PASSPORT_BASE, signedInOnly)
  app.get(`${PASSPORT_BASE}/*`, signedInOnly)
  app.get(HOSTED_WALLET, hostedWallet)

  // A form that the browser submitted natively before the application was ready: reload the page and discard the input.
  void app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', (_request, payload, done) => {
      payload.resume()
      done(null, undefined)
    })
    forms.post(`${ROUTER_BASE}/*`, (request, reply) => reply.redirect(request.url, 303))
  })

  app.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) throw new Refusal('not-found')
    const { visitor, session, isViewingEnded } = await identifyVisitor(request, reply)
    if (isViewingEnded) return sendViewingEnded(reply)
    return sendPage(deps.portal, request, reply, { visitor, session, status: 404 })
  })
}

/** Without this the page would suddenly show the operator's own account. */
function isViewingEnded({ sessionCookie }: Visitor, session: OpenSession | undefined): boolean {
  return session === undefined && sessionCookie?.kind === 'viewing'
}

function sendViewingEnded(reply: FastifyReply): FastifyReply {
  return sendPlainPage(reply.header('cache-control', 'no-store'), {
    title: 'You no longer view this account',
    heading: 'You no longer view this account',
    html: `<p>Viewing an account ends after ${IMPERSONATION_MS / 60_000} minutes, with your own session, or when the person ends it.</p>
<p><a href="${CONSOLE_PATH}">Back to the console</a></p>`,
  })
}

type LoginProviders = Pick<PageData, 'providers' | 'loginExperiments'>

/**
 * The organization's enabled identity providers. The experiment of their users decides which the login page offers. One that
 * it does not offer is listed only if it manages accounts, whose owners have no other login.
 * Untracked visitors must be able to log in too, so they all share one decision, which is not recorded.
 */
function loginProvidersFrom({ experiments, stores }: PageDeps) {
  const listEnabled = withLastKnown(
    (orgCode) => stores.providers.listEnabledOf(orgCode),
    [] as Awaited<ReturnType<typeof stores.providers.listEnabledOf>>,
  )
  const managesAccounts = withLastKnown((id) => stores.providers.managesAccounts(id), true)

  return async ({ organization }: Visitor, trackerUuid = 'untracked'): Promise<LoginProviders> => {
    const { orgCode, label } = organization
    const enabled = await listEnabled(orgCode)
    const providers = await Promise.all(
      enabled.map(async ({ id, userType, name }) => {
        const subject = { trackerUuid, orgCode, label: label?.code }
        const offered = experiments.decide(PROVIDER_EXPERIMENTS[userType], subject).enabled
        const isListed = offered || (await managesAccounts(id))
        return isListed ? [{ userType, name, offered }] : []
      }),
    )
    return {
      providers: providers.flat(),
      loginExperiments: enabled.map(({ userType }) => PROVIDER_EXPERIMENTS[userType]),
    }
  }
}

const NO_PROVIDERS: LoginProviders = { providers: [], loginExperiments: [] }

function pageData(
  { config, brands, botCheck, bannersUrlOf, clock }: PageDeps,
  request: FastifyRequest,
  {
    visitor,
    session,
    isReviewer,
    isProviderReturn,
    tracker,
    decisions,
    providers,
  }: {
    visitor: Visitor
    session: OpenSession | undefined
    isReviewer: boolean
    isProviderReturn: boolean
    tracker: Tracker | undefined
    decisions: Record<ExperimentKey, boolean>
    providers: LoginProviders
  },
): PageData {
  // Not `new URL`, which misreads paths like `//` and throws for invalid host names.
  const [path = '', ...rest] = request.url.split('?')
  const query = rest.join('?')
  const { organization } = brands.appearanceOf(visitor.organization)
  return {
    path,
    query,
    organization: organizationInfo(organization, visitor.linkOrigin),
    flags: brands.organizations.flags(organization.orgCode),
    decisions,
    ...providers,
    ...(isProviderReturn && { isProviderReturn }),
    behaviors: organization.behaviors,
    wallet: organization.wallet,
    label: pageLabel(organization),
    session: session
      ? {
          email: session.email,
          organizationCode: session.organizationCode,
          organizationName: visitor.senderTo(session.organizationCode).organization.companyInfo
            .name,
          profileType: session.profileType,
          signedInAt: session.createdAt,
          method: session.method,
          ...(isReviewer && { isReviewer }),
          ...(session.operator !== undefined && {
            impersonation: {
              sessionUuid: session.id,
              identityUuid: session.identityId,
              operatorEmail: session.operator.email,
              secondsLeft: Math.max(0, Math.floor((session.expiresAt - clock()) / 1000)),
            },
          }),
        }
      : null,
    botCheck: botCheck.page,
    isFromOtherSite: request.headers['sec-fetch-site'] === 'cross-site',
    supportPhone: organization.companyInfo.supportPhone,
    telemetry:
      config.telemetryDays > 0 && tracker !== undefined ? { appVersion: config.version } : null,
    bannersUrl: bannersUrlOf(organization.orgCode),
    demonstration: !config.production,
  }
}
