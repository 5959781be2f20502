/**
 * Calls of push servers (protocol 3.5). Anybody may register one, so what is called must not be a way to reach
 * what only we can reach: https to public addresses, or else hosts that an operator named. Nothing is tried again, and
 * no message waits for a call.
 */
import { type LookupAddress, lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { CountDrops } from './metrics.ts'
import { isPublicAddress } from './public-address.ts'

/** Whom webhooks may reach: any public host, or only those named, by `host` or `host:port`. */
export type WebhookHosts = 'public' | readonly string[]

/** Calls webhooks. */
export interface Webhooks {
  /** Whether a webhook of this address would be called. */
  readonly accepts: (url: string) => boolean
  readonly call: (url: string, topic: string) => void
  /** Gives up what is under way. */
  readonly close: () => void
}

const TIMEOUT_MS = 5000
const AT_ONCE = 16
const WAITING_MAXIMUM = 1000
const URL_LENGTH_MAXIMUM = 1024

/** Opens the caller of webhooks. */
export function openWebhooks(deps: {
  readonly hosts: WebhookHosts
  readonly countDrops: CountDrops
}): Webhooks {
  const { hosts, countDrops } = deps
  const waiting: (() => void)[] = []
  const closing = new AbortController()
  let underWay = 0

  function next(): void {
    underWay -= 1
    waiting.shift()?.()
  }

  function post(url: URL, topic: string): void {
    underWay += 1
    const body = JSON.stringify({ topic })
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(hosts === 'public' ? { lookup: publicLookup } : {}),
    })
    let isRefused = true
    // What it answers is of no interest beyond having been taken; redirects are not followed.
    request.once('response', (response) => {
      isRefused = (response.statusCode ?? 500) >= 300
      request.destroy()
    })
    request.on('error', () => undefined)
    request.once('close', () => {
      if (isRefused) countDrops('webhook')
      next()
    })
    request.end(body)
  }

  return {
    accepts: (url) => acceptable(url, hosts) !== undefined,
    call(url, topic) {
      const target = acceptable(url, hosts)
      if (target === undefined || closing.signal.aborted) return
      if (underWay < AT_ONCE) return post(target, topic)
      if (waiting.length >= WAITING_MAXIMUM) return countDrops('webhook')
      waiting.push(() => post(target, topic))
    },
    close() {
      waiting.length = 0
      closing.abort()
    },
  }
}

function acceptable(text: string, hosts: WebhookHosts): URL | undefined {
  if (text.length > URL_LENGTH_MAXIMUM || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return undefined
  if (hosts !== 'public') {
    // A name without a port stands for every port of that host.
    const isNamed = hosts.includes(url.host) || hosts.includes(url.hostname)
    return /^https?:$/.test(url.protocol) && isNamed ? url : undefined
  }
  // Another port is somebody's service that was not made for strangers.
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) === 0 || isPublicAddress(literal) ? url : undefined
}

/** Resolves a name to public addresses only. It is the connection's own look-up, so no second one can differ. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? []
    if (
      error !== null ||
      first === undefined ||
      !addresses.every((each) => isPublicAddress(each.address))
    ) {
      return callback(error ?? new Error('The name leads to no public address'), '', 0)
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
