/**
 * Filters the headers that are forwarded between the browser and the lender's application. Of a request, everything is
 * forwarded except hop-by-hop headers (RFC 9110, 7.6.1) and headers by which a client could claim an address, host, path,
 * method or user. Of a response, only headers that concern the response itself are forwarded: browsers gain new headers that
 * configure a whole origin every year.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { STORED_JWT_HEADER } from '@portico/contracts/wallet'
import { traceHeaders } from '../tracing/tracing.ts'
import { isLenderPath } from './lender-paths.ts'

/** The header with the identity token. */
const IDENTITY_HEADER = 'portico-identity'

type Headers = Readonly<Record<string, string | string[]>>

const HOP_BY_HOP_HEADERS = [
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Request headers of this server, and of load balancers, content networks and frameworks that trust their own headers. */
const INFRASTRUCTURE_HEADERS =
  /^(?:portico|akamai|cdn|cf|cloudfront|edge|expect|fastly|fly|mellon|oidc|script|shib|x-(?:accel|akamai|amz|amzn|appengine|arr|auth|authenticated|aws|azure|backend|cdn|cf|cloud|cluster|edge|envoy|fd|gateway|goog|invoke|matched|middleware|ms|nf|pomerium|proxyuser|script|sendfile|vercel|webauth))(?:-|$)/

/** Words of a header name by which a client could claim an address, host, path, method, user or protocol. */
const CLAIMING_WORDS = words(`
  addr address ip ips peer port real remote
  forward forwarded forwarder proxied proxy via
  host hostname server domain
  destination method original originating override path rewrite uri url verb vhost
  cert dn https proto protocol scheme ssl tls
  identity login logon principal user username
  assertion claim claims consumer credential email eppn jwt oidc saml shib shibboleth
`)

/** The same claims in names that write two words as one, such as `x-clientip` and `x-http-methodoverride`. */
const JOINED_CLAIMS =
  /(?:client|forward|forwarded|http|original|peer|proxy|real|remote|socket|source|src|true|virtual)(?:addr|for|host|ip|method|path|port|proto|scheme|uri|url|user|verb)|methodoverride|user(?:email|id|info)/

/** Headers with one of these words that browsers and scripts of common frameworks send. */
const HARMLESS_HEADERS =
  /^(?:sec-.*|access-control-request-method|hx-current-url|next-url|user-agent)$/

/** Request headers that may contain a session token. */
const TOKEN_HEADERS = ['authorization', STORED_JWT_HEADER]

/**
 * Response headers that concern only the response and its page. Any other header may configure the whole origin, such as
 * reports, client hints, prefetching, workers, sign-in states, or the storage of our pages.
 */
const RESPONSE_HEADERS = words(`
  accept-ranges age allow cache-control date etag expires last-modified
  content-disposition content-encoding content-language content-length
  content-location content-range content-type link location pragma refresh
  content-security-policy content-security-policy-report-only document-policy
  cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy
  permissions-policy referrer-policy require-document-policy timing-allow-origin
  deprecation idempotency-key ratelimit ratelimit-policy retry-after sunset
  server-timing sourcemap traceresponse vary
  access-control-allow-credentials access-control-allow-headers
  access-control-allow-methods access-control-allow-origin
  access-control-expose-headers access-control-max-age
`)

/** Headers of applications and their frameworks. No new standard begins with `x-` (RFC 6648). */
const APPLICATION_HEADERS = /^(?:hx|next|ratelimit|turbo|x)-/

/** Old headers with `x-` by which a proxy in front of this server, or a browser, would do more than show the response. */
const EFFECTIVE_HEADERS =
  /^x-(?:accel|dns-prefetch-control|lighttpd|permitted-cross-domain-policies|reproxy|sendfile)(?:-|$)/

/** Our cookies, including their prefix over https. */
const OWN_COOKIE = /^(?:__(?:host|secure)-)?portico-/i

/** An application that sends no policy of its own may at least not be framed. */
const DEFAULT_POLICY = "frame-ancestors 'none'; object-src 'none'"

export interface Forwarding {
  /** The application's origin as the browser sees it. */
  readonly origin: string
  /** The client's address. */
  readonly address: string
  /** Undefined without a user. */
  readonly identityToken: string | undefined
  /** Whether an operator views the user's pages. The application's cookies in this browser are the operator's own. */
  readonly isViewed: boolean
}

/** The headers of the request to the application. */
export function requestHeaders(
  received: IncomingHttpHeaders,
  { origin, address, identityToken, isViewed }: Forwarding,
): Headers {
  const { host, protocol } = new URL(origin)
  const cookie = isViewed ? undefined : withoutOwnCookies(received.cookie)
  const referer = refererOf(received.referer)
  return {
    ...forwardable(received, (name) => !isClaim(name) && !TOKEN_HEADERS.includes(name)),
    ...(cookie === undefined ? {} : { cookie }),
    ...(referer === undefined ? {} : { referer }),
    'x-forwarded-for': address,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...traceHeaders(),
    ...(identityToken !== undefined && { [IDENTITY_HEADER]: identityToken }),
  }
}

/** The headers of the response to the browser. */
export function responseHeaders(
  received: IncomingHttpHeaders,
  {
    origin,
    applicationOrigin,
    isIdentified,
    isViewed,
  }: {
    readonly origin: string
    readonly applicationOrigin: string
    /** Whether the request identified the user. */
    readonly isIdentified: boolean
    /** Whether an operator views the user's pages: a cookie of the user's must not remain in this browser. */
    readonly isViewed: boolean
  },
): Headers {
  const forwarded = forwardable(received, isOfResponse)
  const cookies = isViewed ? [] : (received['set-cookie']?.filter(isCookieOfApplication) ?? [])
  const { location } = received
  const { 'cache-control': caching } = received
  return {
    'content-security-policy': DEFAULT_POLICY,
    ...forwarded,
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(location !== undefined && { location: locationAt(origin, location, applicationOrigin) }),
    ...(isIdentified && { 'cache-control': withoutSharedCaching(caching) }),
    // The response depends on the cookie, so one user's response must not be served to another.
    vary: [received.vary, 'cookie'].filter((name) => name !== undefined).join(', '),
  }
}

/** Whether a client could claim something by a request header. */
function isClaim(name: string): boolean {
  if (HARMLESS_HEADERS.test(name)) return false
  return (
    INFRASTRUCTURE_HEADERS.test(name) ||
    JOINED_CLAIMS.test(name.replaceAll('-', '')) ||
    name.split('-').some((word) => CLAIMING_WORDS.has(word))
  )
}

function isOfResponse(name: string): boolean {
  return (
    RESPONSE_HEADERS.has(name) || (APPLICATION_HEADERS.test(name) && !EFFECTIVE_HEADERS.test(name))
  )
}

/** The headers that may be forwarded. The caller handles cookies and the referrer. */
function forwardable(received: IncomingHttpHeaders, mayPass: (name: string) => boolean): Headers {
  const hopByHop = [
    ...HOP_BY_HOP_HEADERS,
    ...(received.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  ]
  return Object.fromEntries(
    Object.entries(received).flatMap(([name, value]) => {
      // Many servers read `Portico_Identity` as the same header.
      const normalized = name.replace(/[^a-z\d]/g, '-')
      const passes = ![...hopByHop, 'cookie', 'referer', 'set-cookie'].includes(normalized)
      return passes && value !== undefined && mayPass(normalized) ? [[name, value]] : []
    }),
  )
}

function withoutOwnCookies(header: string | undefined): string | undefined {
  const kept = (header ?? '').split(';').filter((pair) => !OWN_COOKIE.test(pair.trim()))
  const text = kept.join(';').trim()
  return text === '' ? undefined : text
}

/** URLs of our own pages may contain secrets. */
function refererOf(referer: string | undefined): string | undefined {
  const path = URL.parse(referer ?? '')?.pathname
  return path !== undefined && isLenderPath(path) ? referer : undefined
}

/** Browsers store a cookie without a name, such as `=portico-session=x`, under the name in its value. */
function isCookieOfApplication(cookie: string): boolean {
  const name = /^([^=;]*)=/.exec(cookie)?.[1]?.trim() ?? ''
  return name !== '' && !OWN_COOKIE.test(name)
}

/** Rewrites a redirect to the application's own origin to the same path here. Others are unchanged. */
function locationAt(origin: string, location: string, applicationOrigin: string): string {
  const url = URL.parse(location)
  if (url?.origin !== applicationOrigin) return location
  return `${origin}${url.pathname}${url.search}${url.hash}`
}

/** Prevents shared caches from storing a user's response. */
function withoutSharedCaching(caching: string | undefined): string {
  if (caching === undefined) return 'no-store'
  const directives = caching.split(',').map((directive) => directive.trim().toLowerCase())
  const kept = directives.filter(
    (directive) => !/^(?:public|private|s-maxage|proxy-)/.test(directive),
  )
  return ['private', ...kept].join(', ')
}
