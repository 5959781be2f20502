import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_CATALOG, sentencesOf } from '@portico/contracts/error-catalog'
import { type ErrorBody, type ErrorCode, Refusal } from '@portico/contracts/errors'
import { DEFAULT_REDIRECT, ROUTER_BASE } from '@portico/contracts/limits'
import type { CompanyInfo } from '@portico/contracts/organization'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { traceIdOf } from '../tracing/tracing.ts'
import { plainPage, referenceOf, sendPlainPage, supportSentence } from './plain-page.ts'
import { CLOSED_HEADERS } from './security-headers.ts'

/** The support contacts for error pages. */
type Support = Pick<CompanyInfo, 'supportPhone' | 'supportEmail'>

/** Codes for framework errors, by status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-too-slow',
  413: 'request-too-large',
  415: 'unsupported-media-type',
}

/**
 * Responds to every error in the format of §3, or with a page if a browser requested one. Errors that are not refusals
 * are defects: they are logged, and the response reveals no internals.
 */
export function handleErrors(app: FastifyInstance, supportOf: () => Support): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    const { status } = ERROR_CATALOG[refusal.code]
    // An overloaded node does not also write a log entry for each request that it refuses; they are counted.
    if (status >= 500 && refusal.code !== 'busy') {
      const traceId = traceIdOf(request)
      request.log.error(
        { reqId: request.id, err: error, ...(traceId === undefined ? {} : { traceId }) },
        logMessage(error),
      )
      dropNewCookies(reply)
    }
    if (refusal.retryAfterS !== undefined) void reply.header('retry-after', refusal.retryAfterS)
    void reply.code(status).header('cache-control', 'no-store')
    const isSeen = wantsPage(request) || isForm(request)
    return isSeen ? sendPage(reply, supportOf(), refusal) : reply.send(bodyOf(refusal))
  })
}

/**
 * Removes the cookies that the failed request set: the session or device they name was not stored, and they would replace
 * the browser's existing ones. A logout still removes its cookie.
 */
function dropNewCookies(reply: FastifyReply): void {
  const cookies = [reply.getHeader('set-cookie') ?? []].flat()
  reply.removeHeader('set-cookie')
  for (const cookie of cookies) {
    if (/; *max-age=0\b/i.test(`${cookie}`)) void reply.header('set-cookie', cookie)
  }
}

/** The log message for a server error. A defect is an unexpected error. */
function logMessage(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'database unavailable'
  return error instanceof Refusal ? 'not available' : 'defect'
}

type Head = Pick<IncomingMessage, 'headers' | 'method'>

/** Whether a browser requests a page. */
export function wantsPage({ method, headers }: Head): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

/** Whether a browser submits a form, such as the response of a SAML provider. */
function isForm({ method, headers }: Head): boolean {
  return (
    method === 'POST' &&
    (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded') &&
    (headers.accept ?? '').includes('text/html')
  )
}

/** Responds to URLs of programs that cannot be decoded, which the framework rejects before our hooks run. */
export function handleUnroutableUrl(
  error: unknown,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  const refusal = toRefusal(error)
  void reply
    .code(ERROR_CATALOG[refusal.code].status)
    .headers({ ...CLOSED_HEADERS, 'cache-control': 'no-store' })
    .send(bodyOf(refusal))
}

function bodyOf(refusal: Refusal): ErrorBody {
  const { code } = refusal
  return { code, message: ERROR_CATALOG[code].message, errors: sentencesOf(refusal) }
}

/** Codes for the parser errors of Node that have a specific one. */
const BY_PARSER_ERROR: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request-too-large',
  HPE_HEADER_OVERFLOW: 'request-too-large',
}

/** For a page whose URL is too long, such as a flow request of 100 kB (§4.10). */
const LONG_ADDRESS = {
  title: 'This link does not work',
  heading: 'This link does not work',
  html: `<p>It is too long. Go back to the page with the link, or continue from your dashboard.</p>
<p><a href="${DEFAULT_REDIRECT}">Go to your dashboard</a></p>`,
}

/** The start of a request. */
const REQUEST_START = /^[A-Z]+ \S/

/** The start of a request for a page of the front door. */
const PAGE_REQUEST = `GET ${ROUTER_BASE}/`

/** Responds to malformed or incomplete HTTP. No request object exists yet, so the response is written directly. */
export function malformedRequestHandler(log: Logger) {
  return (error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const refusal = new Refusal(BY_PARSER_ERROR[error.code ?? ''] ?? 'invalid-request')
      const isLongAddress = error.code === 'HPE_HEADER_OVERFLOW' && isForPage(error.rawPacket)
      if (isLongAddress) log.warn({ reason: refusal.code }, 'a link was refused as too long')
      const { headers: own, html: text } = isLongAddress
        ? plainPage(LONG_ADDRESS)
        : {
            headers: { 'content-type': 'application/json; charset=utf-8' },
            html: JSON.stringify(bodyOf(refusal)),
          }
      const headers = {
        ...CLOSED_HEADERS,
        'cache-control': 'no-store',
        ...own,
        'content-length': Buffer.byteLength(text),
        connection: 'close',
      }
      const { status } = ERROR_CATALOG[refusal.code]
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
    }
    socket.destroySoon()
  }
}

/**
 * Whether the received bytes belong to a request for a page. A long address arrives in several packets, and the parser keeps only
 * the last one. A packet in which no request begins counts as one for a page: programs rarely send that much.
 */
function isForPage(received: unknown): boolean {
  if (!Buffer.isBuffer(received)) return false
  const start = received.subarray(0, PAGE_REQUEST.length).toString('latin1')
  return start === PAGE_REQUEST || !REQUEST_START.test(start)
}

/** Converts any error to a refusal. An unexpected error is a defect, and the refusal reveals nothing about it. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) return new Refusal('not-ready', { cause: error })
  const { statusCode: status, message } = error as { statusCode?: number; message?: string }
  if (status === undefined || status >= 500) return new Refusal('server-fault', { cause: error })
  const code = BY_STATUS[status]
  if (code !== undefined) return new Refusal(code, { cause: error })
  return new Refusal('invalid-request', { errors: [message ?? 'The request is not valid.'] })
}

/** The error screen of §2.8, for when the application that shows it has failed. */
function sendPage(
  reply: FastifyReply,
  support: Support,
  { code, retryAfterS = 0 }: Refusal,
): FastifyReply {
  if (code === 'too-many-requests') {
    return sendPlainPage(reply, {
      title: 'Too many requests',
      heading: 'Too many pages were opened from your network',
      html: `<p>Wait ${retryAfterS > 1 ? `${retryAfterS} seconds` : 'a second'}, then try again.</p>
<p><a href="">Try again</a></p>
<p>${supportSentence(support)}</p>`,
    })
  }
  if (code === 'impersonation-read-only') {
    return sendPlainPage(reply, {
      title: 'Not while you view an account',
      heading: 'Not while you view an account',
      html: `<p>${ERROR_CATALOG[code].message}</p>
<p><a href="${DEFAULT_REDIRECT}">Back to the account</a></p>`,
    })
  }
  if (code === 'application-not-available') {
    return sendPlainPage(reply, {
      title: 'This page is not available at the moment',
      heading: 'This page is not available at the moment',
      html: `<p>Please try again in a minute.</p>
<p><a href="">Try again</a></p>
<p>${supportSentence(support)}</p>
${referenceOf(reply)}`,
    })
  }
  return sendPlainPage(reply, {
    title: 'Something went wrong',
    heading: 'Sorry, looks like we have hit a snag!',
    html: `<p><a href="">Try again</a></p>
<p>${supportSentence(support)}</p>
${referenceOf(reply)}`,
  })
}
