/**
 * Who is asking, as far as the request itself tells: the network it counts by, the brand it came to, the browser it
 * was seen in. Made once per request and handed to whatever decides.
 */
import { Refusal } from '@portico/contracts/errors'
import { ORGANIZATION_HEADER } from '@portico/contracts/limits'
import type { Organization } from '@portico/contracts/organization-file'
import { labelOf } from '@portico/rules/label'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Organizations, plainHost } from '../organizations/organizations.ts'
import { cookieName, readCookie, writeCookie } from './cookies.ts'
import { networkOf } from './network.ts'

const SESSION_COOKIE = 'portico-session'
const DEVICE_COOKIE = 'portico-device'
const ORGANIZATION_COOKIE = 'portico-organization'
/** The form of the names we give to browsers; anything else is nobody's. */
const DEVICE_NAME = /^[\w-]{43}$/
/** Names by which only this machine is reached (RFC 6761, 6.3). */
const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
/** What a `Host` may be (RFC 9110, 7.2). Before an @ it would be a name, and what follows another host. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i
const DEVICE_LIFETIME_S = 400 * 24 * 60 * 60

/** The request's maker. */
export interface Visitor {
  /** The origin of its pages: `PUBLIC_URL`, or that with the organization's own host where it came to that. */
  readonly origin: string
  /** Where links in mail lead: a configured origin, or this machine's own name; never what a forged `Host` says. */
  readonly linkOrigin: string
  readonly network: string
  readonly userAgent: string
  /** The organization it came to, with the label of the page over it. */
  readonly organization: Organization
  /**
   * In whose name mail to a known person is sent: that of the identity's organization, with links that lead to its pages.
   * Where this is also the page's organization, the label of the page stays.
   */
  readonly senderTo: (organizationCode: string) => Pick<Visitor, 'organization' | 'linkOrigin'>
  /** The cookie of the session, unverified. */
  readonly sessionCookie: string | undefined
  /** The browser's own random name, unverified. */
  readonly deviceCookie: string | undefined
  readonly keepSession: (value: string) => void
  readonly dropSession: () => void
  readonly keepDevice: (value: string) => void
  readonly keepOrganization: (orgCode: string) => void
  /** Adds a header to the answer. */
  readonly tell: (header: string, value: string) => void
}

/** What visitors are made with. */
interface VisitorDeps {
  readonly organizations: Organizations
  readonly publicUrl: string | undefined
}

/** Makes visitors of requests. */
export function visitors(deps: VisitorDeps) {
  return (request: FastifyRequest, reply: FastifyReply): Visitor =>
    new RequestVisitor(deps, request, reply)
}

/** A class, because an object with getters of its own would be costly to make for each request. */
class RequestVisitor implements Visitor {
  readonly network: string
  readonly #organizations: Organizations
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #publicUrl: string | undefined
  readonly #secure: boolean
  #organization: Organization | undefined

  constructor(
    { organizations, publicUrl }: VisitorDeps,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.#publicUrl = publicUrl
    // A proxy that passes on what is no address is counted itself: nonsense must not make anybody countless.
    this.network = networkOf(request.ip) ?? networkOf(request.socket.remoteAddress) ?? 'unknown'
    this.#organizations = organizations
    this.#request = request
    this.#reply = reply
    assertServed(organizations, request)
    this.#secure = (publicUrl ?? `${request.protocol}:`).startsWith('https:')
  }

  // What most requests never ask for is found out where one does.

  get origin(): string {
    const { protocol, host, hostname } = this.#request
    if (this.#publicUrl === undefined) return originOf(protocol, host)
    // Hosts in an organization's file are configured, so this is no stranger's word.
    if (!this.#comesToOwnHost()) return this.#publicUrl
    const own = new URL(this.#publicUrl)
    own.hostname = hostname
    return own.origin
  }

  get linkOrigin(): string {
    const { hostname, protocol, socket } = this.#request
    const known = this.#publicUrl !== undefined || LOOPBACK.test(hostname) || this.#comesToOwnHost()
    return known ? this.origin : `${protocol}://localhost:${socket.localPort ?? ''}`
  }

  senderTo(organizationCode: string): Pick<Visitor, 'organization' | 'linkOrigin'> {
    const organization = this.#organizations.withCode(organizationCode)
    if (organization === undefined || organization.orgCode === this.organization.orgCode)
      return this
    return { organization, linkOrigin: this.#linkOriginOf(organization) }
  }

  /** Where pages show another organization than this page's: a lender's own host shows no other. */
  #linkOriginOf({ hosts: [host] }: Organization): string {
    const { protocol, socket } = this.#request
    if (this.#publicUrl !== undefined) {
      const url = new URL(this.#publicUrl)
      if (host !== undefined) url.hostname = host
      return url.origin
    }
    return this.#comesToOwnHost()
      ? `${protocol}://localhost:${socket.localPort ?? ''}`
      : this.linkOrigin
  }

  #comesToOwnHost(): boolean {
    return this.organization.hosts.includes(plainHost(this.#request.hostname))
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
    // A call names its page's organization: the cookie is that of the page which was opened last, in any tab.
    const named = headers[ORGANIZATION_HEADER]?.toString()
    return this.#organizations.resolve({
      host: hostname,
      asked: named ?? (typeof orgCode === 'string' ? orgCode : undefined),
      kept: this.#cookie(ORGANIZATION_COOKIE),
      label: labelOf(new URLSearchParams(queryOf(this.#pageAddress()))),
    })
  }

  /** A page's own address; of a call the page that made it, so that mail looks as the page did. */
  #pageAddress(): string {
    const { method, url, headers } = this.#request
    return method === 'GET' ? url : (headers.referer ?? '')
  }

  get sessionCookie(): string | undefined {
    return this.#cookie(SESSION_COOKIE)
  }

  get deviceCookie(): string | undefined {
    return DEVICE_NAME.exec(this.#cookie(DEVICE_COOKIE) ?? '')?.[0]
  }

  keepSession(value: string): void {
    this.#keep(SESSION_COOKIE, value)
  }

  dropSession(): void {
    this.#keep(SESSION_COOKIE, '', 0)
  }

  keepDevice(value: string): void {
    this.#keep(DEVICE_COOKIE, value, DEVICE_LIFETIME_S)
  }

  keepOrganization(orgCode: string): void {
    this.#keep(ORGANIZATION_COOKIE, orgCode)
  }

  tell(header: string, value: string): void {
    void this.#reply.header(header, value)
  }

  #cookie(name: string): string | undefined {
    return readCookie(this.#request.headers.cookie, cookieName(name, this.#secure))
  }

  #keep(name: string, value: string, maxAgeS?: number): void {
    const secure = this.#secure
    const options = maxAgeS === undefined ? { secure } : { secure, maxAgeS }
    void this.#reply.header('set-cookie', writeCookie(cookieName(name, secure), value, options))
  }
}

/**
 * Refuses a call that names an unknown organization, or another than the one that this host belongs to.
 *
 * @throws Refusal - `invalid-request`
 */
function assertServed(
  organizations: Organizations,
  { headers, hostname }: Pick<FastifyRequest, 'headers' | 'hostname'>,
): void {
  const named = headers[ORGANIZATION_HEADER]?.toString()
  if (named === undefined) return
  const page = { host: hostname, asked: named, kept: undefined, label: null }
  if (organizations.resolve(page).orgCode === named) return
  throw new Refusal('invalid-request', {
    errors: [
      'This page belongs to an organization that is not served here. Please reload the page.',
    ],
  })
}

/**
 * The origin of a host that a request names.
 *
 * @throws Refusal - `invalid-request` where that is no host
 */
function originOf(protocol: string, host: string): string {
  const url = HOST.test(host) ? URL.parse(`${protocol}://${host}`) : null
  if (url !== null) return url.origin
  throw new Refusal('invalid-request', { errors: ['The request names a host that is none.'] })
}

function queryOf(address: string): string {
  const [, query = ''] = /\?([^#]*)/.exec(address) ?? []
  return query
}

/** The authorization header's token, without its prefix. */
export function bearerToken(request: FastifyRequest): string | undefined {
  return bearerText(request.headers.authorization)
}

/** The token in the text of such a header, without its prefix. */
export function bearerText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^Bearer ([\w.-]+)$/i.exec(header)?.[1] : undefined
}
