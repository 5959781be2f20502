/**
 * The demonstration's SAML provider at `/saml-idp`, with one organization's customers, another's agents, and the customers of
 * the organization that visitors set up. Its sessions are in memory; its signing keys are in the identity provider table.
 */
import { createHash, randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { emailAddress } from '@portico/contracts/email-address'
import { Refusal } from '@portico/contracts/errors'
import { ROUTER_BASE } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SaxesParser } from 'saxes'
import { serviceProviderOf } from '../broker/providers.ts'
import { RELAY_STATE, SAML_RESPONSE } from '../broker/saml.ts'
import type { SamlServiceProvider } from '../broker/saml-messages.ts'
import { SamlSettings } from '../broker/saml-metadata.ts'
import { escapeHtml } from '../escape-html.ts'
import { assertSameOrigin } from '../http/csrf.ts'
import { type Edge, enforceRateLimit, type RateLimitRule } from '../http/serve.ts'
import type { Visitor } from '../http/visitor.ts'
import { constantTimeEqual, randomSecret } from '../secrets/hashes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import {
  IDENTITY_PROVIDER_POLICY,
  identityProviderPage,
  SENDING_POLICY,
  sendingPage,
  signInPage,
} from './identity-provider-pages.ts'
import { DEMONSTRATION_PEOPLE, type DemonstrationPerson } from './people.ts'
import { DEMONSTRATION_PROVIDERS, NEW_PROVIDER, SAML_IDP_PATH, samlAddresses } from './providers.ts'

const RATE_LIMIT: RateLimitRule = { allowed: 600, windowMs: 60_000 }
const SESSION_COOKIE = 'saml-idp-session'
/** How many sessions are kept; the oldest are evicted. */
const MAX_SESSIONS = 1000
const MAX_REQUEST_BYTES = 16 * 1024
const SEEDED_PROVIDERS = DEMONSTRATION_PROVIDERS.filter(({ protocol }) => protocol === 'saml')
const PROVIDERS = [...SEEDED_PROVIDERS, NEW_PROVIDER]

type Provider = (typeof PROVIDERS)[number]

/** A request by the HTTP-Redirect binding. */
interface SamlRequest {
  readonly kind: 'AuthnRequest' | 'LogoutRequest'
  readonly id: string
  readonly issuer: string
  readonly forceAuthn: boolean
}

export function samlIdentityProvider(
  edge: Edge,
  { stores, vault }: { readonly stores: Pick<AllStores, 'providers'>; readonly vault: Vault },
): void {
  const sessions = new Map<string, DemonstrationPerson>()

  /** @throws Refusal - `not-found` */
  const open = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = edge.visitor(request, reply)
    await enforceRateLimit(edge.rateLimit, `idp ${visitor.network}`, RATE_LIMIT)
    const { clientId } = request.params as { clientId: string } // The route's pattern has it.
    const provider = PROVIDERS.find((each) => each.clientId === clientId)
    // The provider that visitors set up signs with the key of another one, because its own row is theirs.
    const keyHolder = SEEDED_PROVIDERS.find((each) => each === provider) ?? SEEDED_PROVIDERS[0]
    const row = keyHolder && (await stores.providers.findEnabledById(keyHolder.id))
    if (provider === undefined || row === undefined) throw new Refusal('not-found')
    const { certificates } = SamlSettings.parse(parseJson(row.settings))
    return {
      visitor,
      provider,
      row,
      settings: { ...samlAddresses(provider), certificates },
      service: serviceProviderOf(provider, visitor),
      sessionId: sessionIdOf(request),
    }
  }

  type Opened = Awaited<ReturnType<typeof open>>

  /** Sends the browser back with a response about a person, or a refusal if they declined. */
  const answer = async (
    reply: FastifyReply,
    { provider, row, settings, service }: Opened,
    samlRequest: SamlRequest,
    { person, sessionId }: { person?: DemonstrationPerson; sessionId?: string },
  ): Promise<FastifyReply> => {
    const { assertionXml, encoded, responseXml, signXml } = await import(
      '../broker/saml-responses.ts'
    )
    const options = {
      issuer: settings.issuer,
      audience: service.entityId,
      recipient: service.callbackUrl,
      requestId: samlRequest.id,
    }
    const response =
      person === undefined
        ? responseXml({ ...options, subject: '', status: 'Responder' }, '')
        : signXml(
            responseXml(
              { ...options, subject: '' },
              assertionXml({
                ...options,
                subject: subjectOf(person),
                sessionIndex: `_${createHash('sha256')
                  .update(sessionId ?? '')
                  .digest('hex')}`,
                attributes: { mail: [person.email], memberOf: [provider.clientId] },
              }),
            ),
            { privateKey: vault.unwrap('provider secret', row.secret ?? '') },
          )
    const { relayState } = queryOf(reply.request)
    return sendPage(
      reply,
      sendingPage({
        to: service.callbackUrl,
        fields: { [SAML_RESPONSE]: encoded(response), [RELAY_STATE]: relayState },
      }),
      SENDING_POLICY,
    )
  }

  edge.app.get(`${SAML_IDP_PATH}/:clientId/metadata`, async (request, reply) => {
    const { visitor, settings } = await open(request, reply)
    return reply.type('application/samlmetadata+xml').send(metadataOf(settings, visitor))
  })

  void edge.app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    const path = `${SAML_IDP_PATH}/:clientId/sign-in`

    pages.get(path, async (request, reply) => {
      const opened = await open(request, reply)
      const { provider, service, sessionId } = opened
      const { samlRequest, loginHint } = queryOf(request)
      const signIn = readRequest(samlRequest, 'AuthnRequest', service)
      if (signIn === undefined) return sendPage(reply.code(400), UNUSABLE)
      const person = sessions.get(sessionId)
      const isThePerson =
        !signIn.forceAuthn &&
        person?.provider === provider.clientId &&
        [person.email, ''].includes(loginHint)
      return isThePerson
        ? answer(reply, opened, signIn, { person, sessionId })
        : sendPage(reply, signInPageOf(provider, loginHint, false))
    })

    pages.post(path, async (request, reply) => {
      const opened = await open(request, reply)
      const { visitor, provider, service } = opened
      assertSameOrigin(request, visitor.origin)
      const signIn = readRequest(queryOf(request).samlRequest, 'AuthnRequest', service)
      if (signIn === undefined) return sendPage(reply.code(400), UNUSABLE)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      if (form.has('cancel')) return answer(reply, opened, signIn, {})
      const email = form.get('email') ?? ''
      const person = peopleOf(provider).find((each) => each.email === emailAddress(email))
      if (!constantTimeEqual(person?.password ?? '', form.get('password') ?? '') || !person) {
        return sendPage(reply.code(400), signInPageOf(provider, email, true))
      }
      const sessionId = randomSecret()
      const [oldest] = sessions.keys()
      if (oldest !== undefined && sessions.size >= MAX_SESSIONS) sessions.delete(oldest)
      sessions.set(sessionId, person)
      setSessionCookie(reply, visitor, sessionId)
      return answer(reply, opened, signIn, { person, sessionId })
    })
  })

  edge.app.get(`${SAML_IDP_PATH}/:clientId/sign-out`, async (request, reply) => {
    const { visitor, service, settings, sessionId } = await open(request, reply)
    const signOut = readRequest(queryOf(request).samlRequest, 'LogoutRequest', service)
    if (signOut === undefined) return sendPage(reply.code(400), UNUSABLE)
    sessions.delete(sessionId)
    setSessionCookie(reply, visitor, '')
    return reply.redirect(logoutResponseUrl(signOut, { service, issuer: settings.issuer }))
  })
}

const UNUSABLE = identityProviderPage({
  heading: 'This sign-in cannot continue',
  html: `<p>The request is not one of the lender.</p><p><a href="${ROUTER_BASE}/login">Go to the login page</a></p>`,
})

function sendPage(
  reply: FastifyReply,
  html: string,
  policy = IDENTITY_PROVIDER_POLICY,
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': policy, 'cache-control': 'no-store' })
    .send(html)
}

function signInPageOf(provider: Provider, email: string, failed: boolean): string {
  const people = peopleOf(provider)
  return signInPage({ name: provider.name, people, email, failed, cancelable: true })
}

function peopleOf({ clientId }: Provider): readonly DemonstrationPerson[] {
  return DEMONSTRATION_PEOPLE.filter(({ provider }) => provider === clientId)
}

/** A person's NameID at the provider, which differs from the address. */
function subjectOf({ email }: DemonstrationPerson): string {
  return createHash('sha256').update(email).digest('hex').slice(0, 24)
}

function sessionIdOf({ headers: { cookie = '' } }: FastifyRequest): string {
  return new RegExp(`(?:^|; )${SESSION_COOKIE}=([^;]*)`).exec(cookie)?.[1] ?? ''
}

function setSessionCookie(reply: FastifyReply, { origin }: Visitor, value: string): void {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  const expired = value === '' ? '; Max-Age=0' : ''
  const path = `; Path=${SAML_IDP_PATH}; HttpOnly; SameSite=Lax`
  reply.header('set-cookie', `${SESSION_COOKIE}=${value}${path}${secure}${expired}`)
}

function queryOf({ query }: FastifyRequest) {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const { SAMLRequest, [RELAY_STATE]: relayState, login_hint } = query as Record<string, unknown>
  return {
    samlRequest: textOf(SAMLRequest),
    relayState: textOf(relayState),
    loginHint: textOf(login_hint),
  }
}

/** Reads a request from our own server; undefined if it has another type or sender. */
function readRequest(
  encoded: string,
  kind: SamlRequest['kind'],
  { entityId }: SamlServiceProvider,
): SamlRequest | undefined {
  const elements: { name: string; id: string; forceAuthn: boolean; text: string }[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, attributes }) => {
    const valueOf = (name: string) => attributes[name]?.value ?? ''
    const forceAuthn = valueOf('ForceAuthn') === 'true'
    elements.push({ name: local, id: valueOf('ID'), forceAuthn, text: '' })
  })
  parser.on('text', (text) => {
    const last = elements.at(-1)
    if (last !== undefined) last.text += text
  })
  try {
    const deflated = Buffer.from(encoded, 'base64')
    const xml = inflateRawSync(deflated, { maxOutputLength: MAX_REQUEST_BYTES }).toString()
    parser.write(xml).close()
  } catch {
    return undefined // Not deflated XML.
  }
  const { id = '', forceAuthn = false } = elements[0] ?? {}
  const issuer = elements.find(({ name }) => name === 'Issuer')?.text
  const isUsable = elements[0]?.name === kind && /^[\w.-]+$/.test(id) && issuer === entityId
  return isUsable ? { kind, id, issuer, forceAuthn } : undefined
}

function logoutResponseUrl(
  { id }: SamlRequest,
  { service, issuer }: { service: SamlServiceProvider; issuer: string },
): string {
  const url = new URL(service.logoutCallbackUrl)
  const response =
    `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_${randomUUID()}" Version="2.0" ` +
    `IssueInstant="${new Date().toISOString()}" Destination="${escapeHtml(url.href)}" InResponseTo="${id}">` +
    `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${issuer}</saml:Issuer>` +
    '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>' +
    '</samlp:LogoutResponse>'
  url.searchParams.set(SAML_RESPONSE, deflateRawSync(response).toString('base64'))
  return url.href
}

function metadataOf(
  { issuer, signInUrl, signOutUrl, certificates }: SamlSettings,
  { linkOrigin }: Visitor,
): string {
  const redirect = (path = '') =>
    `Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${linkOrigin}${path}"`
  const keys = certificates.map(
    (certificate) =>
      `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  )
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}">
  <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${keys.join('')}
    <SingleLogoutService ${redirect(signOutUrl)}/>
    <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</NameIDFormat>
    <SingleSignOnService ${redirect(signInUrl)}/>
  </IDPSSODescriptor>
</EntityDescriptor>
`
}
