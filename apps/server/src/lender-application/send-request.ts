/**
 * Requests to the lender's application, each on its own connection, so that leftovers of one user's request cannot reach
 * another's. Connections are limited here and not by the agent: an agent at its limit hands a used connection to the next
 * request, even without keep-alive. The operator sets the address; only the path comes from the client.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { Refusal } from '@portico/contracts/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pLimit from 'p-limit'

/** The largest request body, in bytes. */
const MAX_REQUEST_BYTES = 25 * 1024 * 1024
/** How long the application may take to begin its response, including the wait for a connection, in milliseconds. */
const RESPONSE_MS = 30_000
/** How long either side may be idle, in milliseconds. */
const IDLE_MS = 30_000
/** The maximum number of open connections to the application. Further requests wait. */
const MAX_CONNECTIONS = 256
/** The maximum number of waiting requests. Further ones are refused. */
const MAX_WAITING = 1024
const RETRY_AFTER_S = 5

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

type Headers = Readonly<Record<string, string | string[]>>

/** Returns a function that sends a request with its body, and resolves when the response begins. */
export function requestsTo(applicationUrl: string) {
  const url = new URL(applicationUrl)
  const isHttps = url.protocol === 'https:'
  const options = { ...urlToHttpOptions(url), agent: new (isHttps ? HttpsAgent : HttpAgent)() }
  const sendTo = isHttps ? requestHttps : requestHttp
  const limitConnections = pLimit(MAX_CONNECTIONS)

  /** @throws Refusal - `request-too-large`, `application-not-available` */
  return (request: FastifyRequest, reply: FastifyReply, headers: Headers) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url: path, raw } = request
      const length = Number(raw.headers['content-length'] ?? 0)
      if (length > MAX_REQUEST_BYTES) return reject(new Refusal('request-too-large'))
      if (limitConnections.pendingCount >= MAX_WAITING) return reject(tooBusy())
      const { 'content-length': _length, ...others } = headers
      const hasBody = WITH_BODY.has(method) && (length > 0 || isChunked(raw))
      // Without either header Node would send a DELETE body unframed, and it would be read as the next request.
      const framing = isChunked(raw)
        ? { 'transfer-encoding': 'chunked' }
        : { 'content-length': length }
      const ending = new AbortController()
      const end = (error: Error) => {
        reject(
          error instanceof Refusal
            ? error
            : new Refusal('application-not-available', { cause: error }),
        )
        ending.abort()
      }
      const late = () => end(new Error('The application did not answer in time'))
      const deadline = setTimeout(late, RESPONSE_MS)
      reply.raw.once('close', () => end(new Error('The client disconnected')))

      /** Resolves when the connection is closed. */
      const exchange = () =>
        new Promise<void>((closed) => {
          if (ending.signal.aborted) return closed()
          const outgoing = sendTo({
            ...options,
            method,
            path,
            headers: {
              ...others,
              host: url.host,
              connection: 'close',
              ...(hasBody && framing),
            },
            signal: ending.signal,
          })
          outgoing.setTimeout(IDLE_MS, () => end(new Error('The application stopped sending')))
          outgoing.once('response', (response) => {
            clearTimeout(deadline)
            resolve(response)
          })
          outgoing.on('error', end)
          outgoing.once('close', () => {
            closed()
            // The application switched protocols instead of responding. Has no effect after a response.
            end(new Error('The application closed the connection'))
          })
          if (!hasBody) return void outgoing.end()
          let bytes = 0
          raw.on('data', (chunk: Buffer) => {
            bytes += chunk.length
            if (bytes > MAX_REQUEST_BYTES) end(new Refusal('request-too-large'))
          })
          raw.pipe(outgoing)
        })
      limitConnections(exchange)
        .catch(end)
        .finally(() => clearTimeout(deadline))
    })
}

const tooBusy = () =>
  new Refusal('application-not-available', {
    cause: new Error('Too many requests wait for the application'),
    retryAfterS: RETRY_AFTER_S,
  })

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined
