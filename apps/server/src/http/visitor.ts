/**
 * The visitor behind a request: network, organization, cookies and browser. Created once per request and passed to use
 * cases.
 */
import { randomInt } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import {
  OPENID_SIGN_IN_LIFETIME_MS,
  ORGANIZATION_HEADER,
  PROVIDER_CHOICE_MS,
  PROVIDER_LOGIN_LIFETIME_MS,
  SETUP_SESSION_LIFETIME_MS,
} from '@portico/contracts/limits'
import type { Organization } from '@portico/contracts/organization-file'
import { STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { readPayload } from '@portico/keys/read-jwt'
import { labelOf } from '@portico/rules/label'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { normalizeHost, type Organizations, type Sender, senderOf } from '../brands/brands.ts'
import { randomSecret } from '../secrets/hashes.ts'
import { cookieName, readCookie, type SessionCookie, usesHttps, writeCookie } from './cookies.ts'
import { networkOf } from './network.ts'
import { viewingOf } from './viewing.ts'

const SESSION_COOKIE = 'portico-session'
/** The session in which an operator views a person's pages, in addition to the operator's own. */
const VIEWING_COOKIE = 'portico-viewing'
/** One cookie per login, because a user may begin several in different tabs. */
const PROVIDER_LOGIN_COOKIE = 'portico-login'
/** The session in which an administrator sets up an identity provider. One cookie per setup, for several tabs. */
const SETUP_COOKIE = 'portico-setup'
/** The identity provider whose last login in this browser was refused. */
const REFUSED_PROVIDER_COOKIE = 'portico-refused-login'
/**
 * The secret of a browser that signs in to applications. Two tabs may begin at once, before the browser has one, and the browser
 * sends none with a form of another site. So there are several names, of which each new secret gets a random one.
 */
const OPENID_BROWSER_COOKIE = 'portico-openid-login'
const MAX_OPENID_BROWSERS = 8
/** How many logins at identity providers a browser keeps open. Their cookies are sent with every request. */
const MAX_PROVIDER_LOGINS = 8
const DEVICE_COOKIE = 'portico-device'
const ORGANIZATION_COOKIE = 'portico-organization'
/** The format of our device identifiers; anything else is ignored. */
const DEVICE_ID = /^[\w-]{43}$/
/** Names that always resolve to this machine (RFC 6761, 6.3). */
export const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** A valid `Host` (RFC 9110, 7.2). An @ would make it a user name followed by another host. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const DEVICE_LIFETIME_S = 400 * 24 * 60 * 60

export interface Visitor {
  /** The origin of its pages: `PUBLIC_URL`, with the organization's own host if the request was sent to it. */
  readonly origin: string
  /**
   * The origin for addresses that other servers use, such as an identity provider: a configured origin or this machine,
   * never a forged `Host`. It may be a lender's own host, so mail and texts have the origin of their `Sender` instead.
   */
  readonly linkOrigin: string
  readonly network: string
  /** Whether the client closed its connection, so that no one receives the response. */
  readonly hasLeft: boolean
  readonly userAgent: string
  /** The organization of the page, with the page's label applied. */
  readonly organization: Organization
  /** Whether the visitor's host serves an organization: a lender's own host serves that lender only. */
  readonly serves: (orgCode: string) => boolean
  /**
   * Makes an organization that the host serves that of the rest of the request, because the request itself proves it. A
   * provider's callback has no other: the cookie names that of the most recently opened page in any tab.
   */
  readonly useOrganization: (orgCode: string) => void
  /** The sender of mail to an address without an identity: the page's organization. */
  readonly sender: Sender
  /**
   * The sender of mail to a known user: the identity's organization. If that is also the page's organization, the page's
   * label is kept.
   */
  readonly senderTo: (organizationCode: string) => Sender
  /**
   * The session cookie, unverified. If an operator views a person's pages, this is the viewing session's cookie, unless the
   * request's token or route belongs to the operator's own session.
   */
  readonly sessionCookie: SessionCookie | undefined
  /** The cookie of the browser's own session, even while an operator views a person's pages. */
  readonly ownSessionCookie: SessionCookie | undefined
  /** The browser's random device identifier, unverified. */
  readonly deviceCookie: string | undefined
  readonly keepSession: (value: string) => void
  readonly dropSession: () => void
  readonly keepViewing: (value: string) => void
  readonly dropViewing: () => void
  /** The operator who views a person's pages in this request. */
  readonly operatorId: string | undefined
  /** The secret of a login at an identity provider that this browser began, by the login's ID. */
  readonly providerLoginCookie: (name: string) => string | undefined
  readonly keepProviderLogin: (name: string, value: string) => void
  readonly dropProviderLogin: (name: string) => void
  /** The ID of the provider whose last login in this browser was refused, unverified. */
  readonly refusedProvider: string | undefined
  readonly keepRefusedProvider: (providerId: string) => void
  readonly dropRefusedProvider: () => void
  /** The secrets of this browser for signing in to applications. */
  readonly openidBrowsers: readonly string[]
  /** Returns one of them, or a new one, and renews its cookie. */
  readonly keepOpenidBrowser: () => string
  /** The secret of the setup link that this browser opened, by the setup's ID. */
  readonly setupCookie: (name: string) => string | undefined
  readonly keepSetup: (name: string, value: string) => void
  readonly keepDevice: (value: string) => void
  /** The identifier that the response sets, if any. */
  readonly newDevice: string | undefined
  readonly keepOrganization: (orgCode: string) => void
  /** Sets a response header. */
  readonly setHeader: (header: string, value: string) => void
}

interface VisitorDeps {
  readonly organizations: Organizations
  readonly publicUrl: string | undefined
}

export function visitors(deps: VisitorDeps) {
  return (request: FastifyRequest, reply: FastifyReply): Visitor =>
    new RequestVisitor(deps, request, reply)
}

/** A class, because creating an object with getters for each request would be slow. */
class RequestVisitor implements Visitor {
  readonly network: string
  readonly #organizations: Organizations
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #publicUrl: string | undefined
  readonly #secure: boolean
  newDevice: string | undefined
  #organization: Organization | undefined

  constructor(
    { organizations, publicUrl }: VisitorDeps,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.#publicUrl = publicUrl
    // If a proxy forwards an invalid address, the proxy's own address is counted, so that no client evades the limits.
    this.network = networkOf(request.ip) ?? networkOf(request.socket.remoteAddress) ?? 'unknown'
    this.#organizations = organizations
    this.#request = request
    this.#reply = reply
    assertServed(organizations, request)
    this.#secure = usesHttps(publicUrl, request)
  }

  // Computed on demand, because most requests need only some of these.

  get origin(): string {
    const { protocol, host, hostname } = this.#request
    if (this.#publicUrl === undefined) return originOf(protocol, host)
    // Hosts in an organization's file are configured and therefore trusted.
    if (!this.#isOnOwnHost()) return this.#publicUrl
    const own = new URL(this.#publicUrl)
    own.hostname = hostname
    return own.origin
  }

  get linkOrigin(): string {
    const { hostname } = this.#request
    const known = this.#publicUrl !== undefined || LOOPBACK.test(hostname) || this.#isOnOwnHost()
    return known ? this.origin : this.#localOrigin()
  }

  serves(orgCode: string): boolean {
    return isServed(this.#organizations, this.#request.hostname, orgCode)
  }

  useOrganization(orgCode: string): void {
    if (orgCode === this.organization.orgCode) return
    this.#organization = this.#organizations.resolve({
      host: this.#request.hostname,
      requested: orgCode,
      remembered: undefined,
      label: null,
    })
  }

  get sender(): Sender {
    return this.#senderOf(this.organization)
  }

  senderTo(organizationCode: string): Sender {
    if (organizationCode === this.organization.orgCode) return this.sender
    // An organization that was removed leaves its users to the default one.
    const { withCode, defaultOrganization } = this.#organizations
    return this.#senderOf(withCode(organizationCode) ?? defaultOrganization)
  }

  #senderOf(organization: Organization): Sender {
    const host = normalizeHost(this.#request.hostname)
    const isUsable = organization.hosts.includes(host) || !this.#isOnOwnHost()
    return senderOf(organization, {
      publicUrl: this.#publicUrl,
      localOrigin: isUsable ? this.linkOrigin : this.#localOrigin(),
      host,
    })
  }

  /** This machine, which serves every organization. */
  #localOrigin(): string {
    const { protocol, socket } = this.#request
    return `${protocol}://localhost:${socket.localPort ?? ''}`
  }

  #isOnOwnHost(): boolean {
    return this.organization.hosts.includes(normalizeHost(this.#request.hostname))
  }

  get hasLeft(): boolean {
    return this.#request.raw.socket.destroyed
  }

  get userAgent(): string {
    return (this.#request.headers['user-agent'] ?? '').slice(0, 256)
  }

  get organization(): Organization {
    this.#organization ??= this.#resolveOrganization()
    return this.#organization
  }

  #resolveOrganization(): Organization {
    const { headers, hostname, query } = this.#request
    const { orgCode } = (query ?? {}) as { orgCode?: unknown }
    // Calls name their page's organization, because the cookie names that of the most recently opened page in any tab.
    const named = headers[ORGANIZATION_HEADER]?.toString()
    return this.#organizations.resolve({
      host: hostname,
      requested: named ?? (typeof orgCode === 'string' ? orgCode : undefined),
      remembered: this.#cookie(ORGANIZATION_COOKIE),
      label: labelOf(new URLSearchParams(queryOf(this.#pageUrl()))),
    })
  }

  /** The URL of the page, or for a call the URL of the page that made it, so that mail has the same brand. */
  #pageUrl(): string {
    const { method, url, headers } = this.#request
    return method === 'GET' ? url : (headers.referer ?? '')
  }

  get sessionCookie(): SessionCookie | undefined {
    const value = this.#cookie(VIEWING_COOKIE)
    if (value === undefined || usesOwnSession(this.#request, value)) return this.ownSessionCookie
    return { kind: 'viewing', value, own: this.#cookie(SESSION_COOKIE) }
  }

  get ownSessionCookie(): SessionCookie | undefined {
    const value = this.#cookie(SESSION_COOKIE)
    return value === undefined ? undefined : { kind: 'own', value }
  }

  get operatorId(): string | undefined {
    return viewingOf(this.#request)?.operatorId
  }

  get deviceCookie(): string | undefined {
    return DEVICE_ID.exec(this.#cookie(DEVICE_COOKIE) ?? '')?.[0]
  }

  keepSession(value: string): void {
    this.#keep(SESSION_COOKIE, value)
  }

  dropSession(): void {
    this.#keep(SESSION_COOKIE, '', 0)
  }

  keepViewing(value: string): void {
    this.#keep(VIEWING_COOKIE, value)
  }

  dropViewing(): void {
    this.#keep(VIEWING_COOKIE, '', 0)
  }

  providerLoginCookie(name: string): string | undefined {
    return this.#cookie(`${PROVIDER_LOGIN_COOKIE}-${name}`)
  }

  keepProviderLogin(name: string, value: string): void {
    const lifetimeS = PROVIDER_LOGIN_LIFETIME_MS / 1000
    // Browsers send older cookies first.
    const open = this.#cookiesOf(PROVIDER_LOGIN_COOKIE)
    for (const oldest of open.slice(0, Math.max(0, open.length + 1 - MAX_PROVIDER_LOGINS))) {
      this.#keep(oldest.name, '', 0)
    }
    this.#keep(`${PROVIDER_LOGIN_COOKIE}-${name}`, value, lifetimeS)
  }

  dropProviderLogin(name: string): void {
    this.#keep(`${PROVIDER_LOGIN_COOKIE}-${name}`, '', 0)
  }

  get refusedProvider(): string | undefined {
    return this.#cookie(REFUSED_PROVIDER_COOKIE)
  }

  keepRefusedProvider(providerId: string): void {
    this.#keep(REFUSED_PROVIDER_COOKIE, providerId, PROVIDER_CHOICE_MS / 1000)
  }

  dropRefusedProvider(): void {
    if (this.refusedProvider !== undefined) this.#keep(REFUSED_PROVIDER_COOKIE, '', 0)
  }

  get openidBrowsers(): readonly string[] {
    return this.#cookiesOf(OPENID_BROWSER_COOKIE).map(({ value }) => value)
  }

  keepOpenidBrowser(): string {
    const [known] = this.#cookiesOf(OPENID_BROWSER_COOKIE)
    const name = known?.name ?? `${OPENID_BROWSER_COOKIE}-${randomInt(MAX_OPENID_BROWSERS)}`
    const value = known?.value ?? randomSecret()
    this.#keep(name, value, OPENID_SIGN_IN_LIFETIME_MS / 1000)
    return value
  }

  setupCookie(name: string): string | undefined {
    return this.#cookie(`${SETUP_COOKIE}-${name}`)
  }

  keepSetup(name: string, value: string): void {
    this.#keep(`${SETUP_COOKIE}-${name}`, value, SETUP_SESSION_LIFETIME_MS / 1000)
  }

  keepDevice(value: string): void {
    this.newDevice = value
    this.#keep(DEVICE_COOKIE, value, DEVICE_LIFETIME_S)
  }

  keepOrganization(orgCode: string): void {
    this.#keep(ORGANIZATION_COOKIE, orgCode)
  }

  setHeader(header: string, value: string): void {
    void this.#reply.header(header, value)
  }

  #cookie(name: string): string | undefined {
    return readCookie(this.#request.headers.cookie, cookieName(name, this.#secure))
  }

  /** The cookies whose names begin with a prefix and a hyphen, by their names without the prefix of https. */
  #cookiesOf(prefix: string): readonly { readonly name: string; readonly value: string }[] {
    const start = `${cookieName(prefix, this.#secure)}-`
    const pairs = (this.#request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
    return pairs
      .filter((pair) => pair.startsWith(start))
      .map((pair) => {
        const [name = '', value = ''] = pair.split('=')
        return { name: `${prefix}-${name.slice(start.length)}`, value }
      })
  }

  #keep(name: string, value: string, maxAgeS?: number): void {
    const secure = this.#secure
    const options = maxAgeS === undefined ? { secure } : { secure, maxAgeS }
    void this.#reply.header('set-cookie', writeCookie(cookieName(name, secure), value, options))
  }
}

/**
 * Rejects a call that names an unknown organization or one that this host does not serve.
 *
 * @throws Refusal - `invalid-request`
 */
function assertServed(
  organizations: Organizations,
  { headers, hostname }: Pick<FastifyRequest, 'headers' | 'hostname'>,
): void {
  const named = headers[ORGANIZATION_HEADER]?.toString()
  if (named === undefined) return
  if (isServed(organizations, hostname, named)) return
  throw new Refusal('invalid-request', {
    errors: [
      'This page belongs to an organization that is not served here. Please reload the page.',
    ],
  })
}

function isServed(organizations: Organizations, host: string, orgCode: string): boolean {
  const page = { host, requested: orgCode, remembered: undefined, label: null }
  return organizations.resolve(page).orgCode === orgCode
}

/**
 * The origin for a `Host` header.
 *
 * @throws Refusal - `invalid-request` when the host is invalid
 */
function originOf(protocol: string, host: string): string {
  const url = HOST.test(host) ? URL.parse(`${protocol}://${host}`) : null
  if (url !== null) return url.origin
  throw new Refusal('invalid-request', { errors: ['The request has an invalid host.'] })
}

function queryOf(url: string): string {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? []
  return query
}

/**
 * Whether a request belongs to the browser's own session while an operator views a person's pages in another tab. The token
 * is not verified here: it must match the cookie that it selects.
 */
function usesOwnSession(request: FastifyRequest, viewingCookie: string): boolean {
  if (request.routeOptions.config.impersonation === 'own') return true
  const token = bearerText(request.headers[STORED_JWT_HEADER]) ?? bearerToken(request)
  const { sid } = readPayload(token ?? '') ?? {}
  return typeof sid === 'string' && !viewingCookie.startsWith(`${sid}.`)
}

/** The authorization header's token, without its prefix. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return bearerText(request.headers.authorization)
}

/** The token in the text of an authorization header, without its prefix. */
export function bearerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^Bearer ([\w.-]+)$/i.exec(header)?.[1] : undefined
}
