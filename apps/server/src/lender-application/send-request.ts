/**
 * Requests to the lender's application, each on its own connection, so that leftovers of one user's request cannot reach
 * another's. The operator sets the address; only the path comes from the client.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { Refusal } from '@portico/contracts/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The largest request body, in bytes. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024
/** How long the application may take to begin its response, including the wait for a connection, in milliseconds. */
const RESPONSE_MS = 30_000
/** How long either side may be idle, in milliseconds. */
const IDLE_MS = 30_000
/** The maximum number of open connections to the application. Further requests wait. */
const MAX_CONNECTIONS = 256

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

type Headers = Readonly<Record<string, string | string[]>>

/** Returns a function that sends a request with its body, and resolves when the response begins. */
export function requestsTo(applicationUrl: string) {
  const url = new URL(applicationUrl)
  const isHttps = url.protocol === 'https:'
  const options = {
    ...urlToHttpOptions(url),
    agent: new (isHttps ? HttpsAgent : HttpAgent)({ maxSockets: MAX_CONNECTIONS }),
  }
  const sendTo = isHttps ? requestHttps : requestHttp

  /** @throws Refusal - `request-too-large`, `application-not-available` */
  return (request: FastifyRequest, reply: FastifyReply, headers: Headers) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url: path, raw } = request
      const length = Number(raw.headers['content-length'] ?? 0)
      if (length > MAX_REQUEST_BYTES) return reject(new Refusal('request-too-large'))
      const { 'content-length': _length, ...others } = headers
      const hasBody = WITH_BODY.has(method) && (length > 0 || isChunked(raw))
      // Without either header Node would send a DELETE body unframed, and it would be read as the next request.
      const framing = isChunked(raw)
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': length }
      const outgoing = sendTo({
        ...options,
        method,
        path,
        headers: { ...others, host: url.host, ...(hasBody && framing) },
      })
      const fail = (message: string) => outgoing.destroy(new Error(message))
      const deadline = setTimeout(() => fail('The application did not answer in time'), RESPONSE_MS)
      outgoing.setTimeout(IDLE_MS, () => fail('The application stopped sending'))
      outgoing.once('response', (response) => {
        clearTimeout(deadline)
        resolve(response)
      })
      outgoing.on('error', (cause) =>
        reject(
          cause instanceof Refusal ? cause : new Refusal('application-not-available', { cause }),
        ),
      )
      outgoing.once('close', () => {
        clearTimeout(deadline)
        // The application switched protocols instead of responding. Has no effect after a response.
        reject(new Refusal('application-not-available'))
      })
      // The client disconnected.
      reply.raw.once('close', () => outgoing.destroy())
      if (!hasBody) return void outgoing.end()
      let bytes = 0
      raw.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_REQUEST_BYTES) outgoing.destroy(new Refusal('request-too-large'))
      })
      raw.pipe(outgoing)
    })
}

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined
