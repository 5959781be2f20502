/**
 * Requests to servers named by others, such as webhooks and push services. They must not reach internal services (SSRF):
 * only https to public addresses, or hosts that the operator lists.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { SPAN_KINDS, traced } from '../tracing/tracing.ts'
import { loopbackLookup } from './loopback-lookup.ts'
import { isPublicAddress } from './ssrf-guard.ts'

/**
 * The allowed hosts: any public host; some public hosts, with `*.example` for all subdomains; or an operator's list of
 * `host` or `host:port`, which may be private.
 */
export type OutboundHosts =
  | 'public'
  | { readonly publicNames: readonly string[] }
  | readonly string[]

/** The relevant parts of a server's response. */
export interface OutboundResponse {
  readonly status: number
  /** When to send the next request, if the server says so. */
  readonly retryAfter: string | undefined
}

const TIMEOUT_MS = 5000
const MAX_URL_LENGTH = 1024

/** Returns the parsed URL if requests may be sent to it. */
export function outboundUrl(text: string, hosts: OutboundHosts): URL | undefined {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text)
  if (url === null) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (isOperatorsList(hosts)) {
    // A host without a port allows every port.
    const isListed = hosts.includes(url.host) || hosts.includes(url.hostname)
    return /^https?:$/.test(url.protocol) && isListed ? url : undefined
  }
  if (hosts !== 'public' && !hosts.publicNames.some((name) => isBelow(url.hostname, name))) {
    return undefined
  }
  // Other ports may belong to services that are not meant to be public.
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 || isPublicAddress(literal) ? url : undefined
}

export const isOperatorsList = (hosts: OutboundHosts): hosts is readonly string[] =>
  Array.isArray(hosts)

const isBelow = (hostname: string, name: string) =>
  name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name

/** Posts to a URL from `outboundUrl`; undefined without a response. Redirects are not followed. */
export function postOutbound(
  url: URL,
  {
    hosts,
    headers,
    body,
    signal,
    timeoutMs = TIMEOUT_MS,
  }: {
    readonly hosts: OutboundHosts
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array
    readonly signal: AbortSignal
    readonly timeoutMs?: number
  },
): Promise<OutboundResponse | undefined> {
  const send = () =>
    new Promise<OutboundResponse | undefined>((resolve) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        lookup: isOperatorsList(hosts) ? loopbackLookup : publicLookup,
      })
      let answered: OutboundResponse | undefined
      // The body is ignored.
      request.once('response', ({ statusCode: status = 0, headers }) => {
        answered = { status, retryAfter: headers['retry-after'] }
        request.destroy()
      })
      request.on('error', () => undefined)
      request.once('close', () => resolve(answered))
      request.end(body)
    })
  return traced('outgoing call', send, SPAN_KINDS.client)
}

/** Resolves a name to public addresses only. The connection uses this lookup itself, which prevents DNS rebinding. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (
      error !== null ||
      first === undefined ||
      !addresses.every((each) => isPublicAddress(each.address))
    ) {
      return callback(error ?? new Error('The name does not resolve to public addresses'), '', 0)
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
