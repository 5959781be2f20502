/**
 * Filters the headers that are forwarded between the browser and the lender's application. Everything is forwarded except
 * hop-by-hop headers (RFC 9110, 7.6.1), headers that only this server may set, and headers with effects beyond the
 * application's own pages.
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

/** Request headers that this server sets itself, or that a client could use to spoof an address, path or user. */
const SPOOFABLE_HEADERS =
  /^(?:portico|x-forwarded|x-original)-|^(?:expect|forwarded|host|x-real-ip|x-rewrite-url)$/

/** Request headers that may contain a session token. */
const TOKEN_HEADERS = ['authorization', STORED_JWT_HEADER]

/**
 * Response headers with effects beyond the application's pages: a service worker for our pages, deleting our cookies and
 * wallets, an alternative server for the whole origin, reporting URLs, and copies in shared caches.
 */
const ORIGIN_WIDE_HEADERS = [
  'service-worker-allowed',
  'clear-site-data',
  'strict-transport-security',
  'alt-svc',
  'nel',
  'report-to',
  'cdn-cache-control',
  'surrogate-control',
]

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
    ...forwardable(
      received,
      (name) => !SPOOFABLE_HEADERS.test(name) && !TOKEN_HEADERS.includes(name),
    ),
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
  const forwarded = forwardable(received, (name) => !ORIGIN_WIDE_HEADERS.includes(name))
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
