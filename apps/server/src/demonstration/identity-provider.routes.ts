/**
 * The demonstration's OpenID Connect provider: a real one at `/idp`, with one organization's customers and another's agents.
 * It keeps everything in memory and loads its library with the first request.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { BROKER_PATH } from '@portico/contracts/broker'
import { emailAddress } from '@portico/contracts/email-address'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Context, Provider } from 'oidc-provider'
import type { Logger } from 'pino'
import { assertSameOrigin } from '../http/csrf.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import { constantTimeEqual } from '../secrets/hashes.ts'
import {
  IDENTITY_PROVIDER_POLICY,
  identityProviderPage,
  signInPage,
} from './identity-provider-pages.ts'
import { DEMONSTRATION_PEOPLE, type DemonstrationPerson } from './people.ts'
import {
  DEMONSTRATION_PROVIDERS,
  type DemonstrationProvider,
  IDP_PATH,
  NEW_PROVIDER,
} from './providers.ts'

/** The clients of the provider. */
const CLIENTS = [
  ...DEMONSTRATION_PROVIDERS.filter((provider) => provider.protocol === 'oidc'),
  NEW_PROVIDER,
]

const RATE_LIMIT: RateLimitRule = { allowed: 600, windowMs: 60_000 }
const HOUR_S = 3600
/** How many origins have a provider; a demonstration has one or two. */
const MAX_ORIGINS = 8
/** How many records of each kind are kept; the oldest are evicted. */
const MAX_RECORDS = 1000

/** Serves the provider. Each origin of the demonstration has its own issuer. */
export function identityProvider(edge: Edge, log: Logger): void {
  const providers = new Map<string, Promise<Provider>>()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }

  const providerAt = ({ linkOrigin }: Visitor): Promise<Provider> => {
    const known = providers.get(linkOrigin)
    if (known !== undefined) return known
    const opened = openProvider(linkOrigin, key, log)
    const [oldest] = providers.keys()
    if (oldest !== undefined && providers.size >= MAX_ORIGINS) providers.delete(oldest)
    providers.set(linkOrigin, opened)
    return opened
  }

  const visitorOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Visitor> => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `idp ${visitor.network}`, RATE_LIMIT)
    return visitor
  }

  /** The login in progress and the people who can complete it. */
  const interaction = async (visitor: Visitor, request: FastifyRequest, reply: FastifyReply) => {
    const provider = await providerAt(visitor)
    const { params } = await provider
      .interactionDetails(request.raw, reply.raw)
      .catch(() => ({ params: {} as Record<string, string | undefined> }))
    const client = clientOf(params['client_id'])
    return { provider, client, loginHint: params['login_hint'] ?? '' }
  }

  void edge.app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    const path = `${IDP_PATH}/interaction/:uid`

    pages.get(path, async (request, reply) => {
      const visitor = await visitorOf(request, reply)
      const { client, loginHint } = await interaction(visitor, request, reply)
      if (client === undefined) return sendPage(reply.code(410), EXPIRED_PAGE)
      return sendPage(reply, signIn(client, loginHint, false))
    })

    pages.post(path, async (request, reply) => {
      const visitor = await visitorOf(request, reply)
      assertSameOrigin(request, visitor.origin)
      const { provider, client } = await interaction(visitor, request, reply)
      if (client === undefined) return sendPage(reply.code(410), EXPIRED_PAGE)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const email = form.get('email') ?? ''
      const person = peopleOf(client).find((each) => each.email === emailAddress(email))
      if (!constantTimeEqual(person?.password ?? '', form.get('password') ?? '') || !person) {
        return sendPage(reply.code(400), signIn(client, email, true))
      }
      reply.hijack()
      const result = { login: { accountId: subjectOf(person) } }
      return provider.interactionFinished(request.raw, reply.raw, result, {
        mergeWithLastSubmission: false,
      })
    })
  })

  void edge.app.register(async (calls) => {
    // The library parses bodies itself.
    calls.removeAllContentTypeParsers()
    calls.addContentTypeParser('*', (_request, _payload, done) => done(null))
    calls.all(`${IDP_PATH}/*`, async (request, reply) => {
      const provider = await providerAt(await visitorOf(request, reply))
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value)
      }
      reply.raw.setHeader('content-security-policy', IDENTITY_PROVIDER_POLICY)
      const raw = Object.assign(request.raw, { originalUrl: request.url })
      raw.url = request.url.slice(IDP_PATH.length)
      return provider.callback()(raw, reply.raw)
    })
  })
}

const EXPIRED_PAGE = identityProviderPage({
  heading: 'This sign-in has expired',
  html: `<p><a href="${ROUTER_BASE}/login">Go to the login page</a></p>`,
})

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': IDENTITY_PROVIDER_POLICY, 'cache-control': 'no-store' })
    .send(html)
}

function signIn(client: DemonstrationProvider, email: string, failed: boolean): string {
  return signInPage({ name: client.name, people: peopleOf(client), email, failed })
}

function clientOf(clientId: string | undefined): DemonstrationProvider | undefined {
  return CLIENTS.find((each) => each.clientId === clientId)
}

function peopleOf({ clientId }: DemonstrationProvider): readonly DemonstrationPerson[] {
  return DEMONSTRATION_PEOPLE.filter(({ provider }) => provider === clientId)
}

async function openProvider(origin: string, key: unknown, log: Logger): Promise<Provider> {
  const { interactionPolicy, Provider } = await import('oidc-provider')
  const { Check } = interactionPolicy
  const policy = interactionPolicy.base()
  policy.get('login').checks.add(
    new Check('other_person', 'another person signs in', 'login_required', ({ oidc }) => {
      const person = personOf(oidc.session?.accountId)
      const hint = oidc.params?.['login_hint']
      // A person who has just signed in may be another one than the hint names.
      const isOther =
        oidc.result?.login === undefined &&
        person !== undefined &&
        ((hint !== undefined && hint !== person.email) || person.provider !== oidc.client?.clientId)
      return isOther ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  const provider: Provider = new Provider(`${origin}${IDP_PATH}`, {
    adapter: memory(),
    clients: CLIENTS.map(({ id, userType, clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [`${origin}${BROKER_PATH}/${userType}/callback/${id}`],
      post_logout_redirect_uris: [`${origin}${ROUTER_BASE}/login`],
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    conformIdTokenClaims: false,
    interactions: {
      policy,
      url: (_context: Context, { uid }: { uid: string }) => `${IDP_PATH}/interaction/${uid}`,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: Context, form: string) => {
          context.body = identityProviderPage({
            heading: 'Sign out here too?',
            html: `<p>You are logged out of the lender. You are still signed in here.</p>${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          })
        },
        postLogoutSuccessSource: (context: Context) => {
          context.body = identityProviderPage({ heading: 'You are signed out', html: '' })
        },
      },
    },
    findAccount: (_context: Context, accountId: string) => {
      const person = personOf(accountId)
      return person && { accountId, claims: () => claimsOf(person) }
    },
    // Demonstration users consent to everything.
    loadExistingGrant: async ({ oidc }: Context) => {
      const [accountId, clientId] = [oidc.session?.accountId, oidc.client?.clientId]
      if (accountId === undefined || clientId === undefined) return undefined
      const grant = new provider.Grant({ accountId, clientId })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
    renderError: (context: Context, { error }: { error: string }) => {
      context.type = 'html'
      context.body = identityProviderPage({
        heading: 'This sign-in cannot continue',
        html: `<p>The reason is <code>${error.replace(/\W/g, ' ')}</code>.</p><p><a href="${ROUTER_BASE}/login">Go to the login page</a></p>`,
      })
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      Grant: HOUR_S,
      IdToken: HOUR_S,
      Interaction: HOUR_S,
      Session: 24 * HOUR_S,
    },
  })
  provider.on('server_error', (_context, error) =>
    log.error({ err: error }, 'the demonstration identity provider failed'),
  )
  provider.proxy = origin.startsWith('https:')
  return provider
}

/** A person's subject at the provider, which differs from the address. */
function subjectOf({ email }: DemonstrationPerson): string {
  return createHash('sha256').update(email).digest('hex').slice(0, 24)
}

function personOf(accountId: string | undefined): DemonstrationPerson | undefined {
  return DEMONSTRATION_PEOPLE.find((person) => subjectOf(person) === accountId)
}

function claimsOf(person: DemonstrationPerson) {
  const { email, provider } = person
  const [name = ''] = email.split('@')
  return {
    sub: subjectOf(person),
    email,
    email_verified: true,
    name: name.replace('.', ' '),
    groups: [provider ?? ''],
  }
}

/** The library's storage, in memory. */
function memory(): (model: string) => Adapter {
  const records = new Map<string, Record<string, unknown>>()
  return (model) => {
    const keyOf = (id: string) => `${model} ${id}`
    const findBy = async (field: string, value: string) =>
      [...records].find(([key, each]) => key.startsWith(`${model} `) && each[field] === value)?.[1]
    return {
      async upsert(id, payload) {
        const [oldest] = records.keys()
        if (oldest !== undefined && records.size >= MAX_RECORDS) records.delete(oldest)
        records.set(keyOf(id), payload)
      },
      find: async (id) => records.get(keyOf(id)),
      findByUid: (uid) => findBy('uid', uid),
      findByUserCode: (code) => findBy('userCode', code),
      async consume(id) {
        const record = records.get(keyOf(id))
        if (record !== undefined) record['consumed'] = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        records.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, each] of records) {
          // Only records of this kind: a login in progress also names the grant of the earlier one.
          if (key.startsWith(`${model} `) && each['grantId'] === grantId) records.delete(key)
        }
      },
    }
  }
}
