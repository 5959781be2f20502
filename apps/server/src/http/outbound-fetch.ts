/**
 * Requests to servers that an administrator names. Allows the same addresses as `outbound-post.ts`, follows no redirects,
 * and limits the response in size and time.
 */
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { SPAN_KINDS, traced } from '../tracing/tracing.ts'
import { loopbackLookup } from './loopback-lookup.ts'
import { isOperatorsList, type OutboundHosts, outboundUrl, publicLookup } from './outbound-post.ts'

const TIMEOUT_MS = 5000
const MAX_RESPONSE_BYTES = 512 * 1024
/** Statuses of responses without a body; `Response` throws if one is given. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

interface OutboundRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

/** Returns a `fetch` that only reaches allowed hosts and rejects incomplete responses. */
export function outboundFetch(hosts: OutboundHosts) {
  return (text: string, { method, headers, body, signal }: OutboundRequest): Promise<Response> => {
    const url = outboundUrl(text, hosts)
    if (url === undefined) {
      return Promise.reject(new Error('Requests to this address are not allowed', { cause: text }))
    }
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const send = () =>
      new Promise<Response>((resolve, reject) => {
        const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
          method,
          headers: {
            ...headers,
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
          agent: false,
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
          lookup: isOperatorsList(hosts) ? loopbackLookup : publicLookup,
        })
        request.once('error', reject)
        request.once('response', (response) => {
          const chunks: Buffer[] = []
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > MAX_RESPONSE_BYTES) {
              request.destroy(new Error('The response is too large'))
            } else chunks.push(chunk)
          })
          response.once('error', reject)
          response.once('end', () => {
            const { statusCode: status = 0, headers } = response
            if (status < 200 || status > 599) {
              reject(new Error(`The response has the status ${status}`))
              return
            }
            const content = WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks)
            resolve(new Response(content, { status, headers: relevantHeaders(headers) }))
          })
        })
        // The response was truncated, or the server switched protocols.
        request.once('close', () => {
          const error = new Error('The connection was closed without a complete response')
          reject(Object.assign(error, { code: 'ECONNRESET' }))
        })
        request.end(body)
      })
    return traced('outgoing call', send, SPAN_KINDS.client)
  }
}

/** The headers that determine how a response is parsed. */
function relevantHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    ['content-type', 'www-authenticate'].flatMap((name) => {
      const value = headers[name]
      return value === undefined ? [] : [[name, value.toString()]]
    }),
  )
}
