/**
 * Requests to servers that anyone may name, such as webhooks and push services. They must not reach internal services (SSRF):
 * only https to public addresses, or hosts that the operator lists.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './ssrf-guard.ts'

/** The allowed hosts: any public one, or a list of `host` or `host:port`. */
export type OutboundHosts = 'public' | readonly string[]

const TIMEOUT_MS = 5000
const URL_LENGTH_MAXIMUM = 1024

/** The URL, if a request may be sent to it. */
export function outboundUrl(text: string, hosts: OutboundHosts): URL | undefined {
  const url = text.length > URL_LENGTH_MAXIMUM ? null : URL.parse(text)
  if (url === null) return undefined
  if (url.username !== '' || url.password !== '') return undefined
  if (hosts !== 'public') {
    // A host without a port allows every port.
    const isListed = hosts.includes(url.host) || hosts.includes(url.hostname)
    return /^https?:$/.test(url.protocol) && isListed ? url : undefined
  }
  // Other ports may belong to services that are not meant to be public.
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 || isPublicAddress(literal) ? url : undefined
}

/** Posts to a URL of `outboundUrl` and returns the status; undefined without a response. Redirects are not followed. */
export function postOutbound(
  url: URL,
  {
    hosts,
    headers,
    body,
    signal,
  }: {
    readonly hosts: OutboundHosts
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array
    readonly signal: AbortSignal
  },
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(hosts === 'public' ? { lookup: publicLookup } : {}),
    })
    let status: number | undefined
    // Only the status matters.
    request.once('response', (response) => {
      status = response.statusCode
      request.destroy()
    })
    request.on('error', () => undefined)
    request.once('close', () => resolve(status))
    request.end(body)
  })
}

/** Resolves a name to public addresses only. The connection uses this lookup itself, which prevents DNS rebinding. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
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
