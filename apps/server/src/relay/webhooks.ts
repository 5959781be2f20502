/**
 * Calls push servers (protocol 3.5). Anyone may register a webhook, so calls must not reach internal services (SSRF):
 * only https to public addresses or hosts that the operator lists. Calls are not retried and do not delay messages.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import pLimit from 'p-limit'
import type { CountDrops } from './metrics.ts'
import { isPublicAddress } from './ssrf-guard.ts'

/** The allowed hosts: any public one, or a list of `host` or `host:port`. */
export type WebhookHosts = 'public' | readonly string[]

export interface Webhooks {
  /** Whether a webhook with this URL may be called. */
  readonly accepts: (url: string) => boolean
  readonly call: (url: string, topic: string) => void
  /** Aborts calls in progress. */
  readonly close: () => void
}

const TIMEOUT_MS = 5000
const CONCURRENT_MAXIMUM = 16
const WAITING_MAXIMUM = 1000
const URL_LENGTH_MAXIMUM = 1024

export function openWebhooks(deps: {
  readonly hosts: WebhookHosts
  readonly countDrops: CountDrops
}): Webhooks {
  const { hosts, countDrops } = deps
  const limitConcurrency = pLimit(CONCURRENT_MAXIMUM)
  const closing = new AbortController()

  const post = (url: URL, topic: string) =>
    new Promise<void>((resolve) => {
      const body = JSON.stringify({ topic })
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(hosts === 'public' ? { lookup: publicLookup } : {}),
      })
      let failed = true
      // Only the status matters; redirects are not followed.
      request.once('response', (response) => {
        failed = (response.statusCode ?? 500) >= 300
        request.destroy()
      })
      request.on('error', () => undefined)
      request.once('close', () => {
        if (failed) countDrops('webhook')
        resolve()
      })
      request.end(body)
    })

  return {
    accepts: (url) => allowedUrl(url, hosts) !== undefined,
    call(url, topic) {
      const target = allowedUrl(url, hosts)
      if (target === undefined || closing.signal.aborted) return
      if (limitConcurrency.pendingCount >= WAITING_MAXIMUM) return countDrops('webhook')
      void limitConcurrency(post, target, topic)
    },
    close() {
      limitConcurrency.clearQueue()
      closing.abort()
    },
  }
}

function allowedUrl(text: string, hosts: WebhookHosts): URL | undefined {
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
