import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import { ROUTER_BASE } from '@portico/contracts/limits'
import type { CompanyInfo } from '@portico/contracts/organization'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../database/database-unavailable.ts'
import { referenceOf, sendPlainPage, supportSentence } from './plain-page.ts'
import { CLOSED_HEADERS } from './security-headers.ts'

/** Whom somebody turns to for whom there is no page. */
type Support = Pick<CompanyInfo, 'supportPhone' | 'supportEmail'>

/** The framework's own refusals by their status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-too-slow',
  413: 'request-too-large',
  415: 'unsupported-media-type',
}

/**
 * Answers every failure in the error shape of §3, or as a page where a person asked for one; what is no refusal is a
 * defect, logged and told without internals.
 */
export function answerRefusals(app: FastifyInstance, support: Support): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) {
      request.log.error({ reqId: request.id, err: error }, eventOf(error))
    }
    if (refusal.retryAfterS !== undefined) void reply.header('retry-after', refusal.retryAfterS)
    void reply.code(refusal.status).header('cache-control', 'no-store')
    return wantsPage(request) ? sendPage(reply, support, refusal) : reply.send(refusal.body)
  })
}

/** What the log calls a failure of ours: a defect is what nobody has foreseen. */
function eventOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return 'database unavailable'
  return error instanceof Refusal ? 'not available' : 'defect'
}

/** Whether a person's browser asked for a page. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
}

/** Answers what the framework refuses before any hook of ours has run: an address that cannot be decoded. */
export function answerUnreadableAddress(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // To a person's browser it is an unknown path like any other (§2.1).
  if (wantsPage(request)) {
    void reply.headers(CLOSED_HEADERS).redirect(`${ROUTER_BASE}/login`)
    return
  }
  const { status, body } = refusalOf(error)
  void reply
    .code(status)
    .headers({ ...CLOSED_HEADERS, 'cache-control': 'no-store' })
    .send(body)
}

/** Node's names for a request that cannot be read, where they say more than that. */
const BROKEN: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request-too-large',
  HPE_HEADER_OVERFLOW: 'request-too-large',
}

/** Answers what is no HTTP or never arrives whole. There is no request yet, so the answer is written by hand. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable) {
    const { status, body } = new Refusal(BROKEN[error.code ?? ''] ?? 'invalid-request')
    const text = JSON.stringify(body)
    const headers = {
      ...CLOSED_HEADERS,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  }
  socket.destroySoon()
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) return new Refusal('not-ready', { cause: error })
  const { statusCode: status, message } = error as { statusCode?: number; message?: string }
  if (status === undefined || status >= 500) return new Refusal('server-fault', { cause: error })
  const code = BY_STATUS[status]
  if (code !== undefined) return new Refusal(code, { cause: error })
  return new Refusal('invalid-request', { errors: [message ?? 'The request is not valid.'] })
}

/** The error screen of §2.8 where the application that draws it has failed. */
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
  return sendPlainPage(reply, {
    title: 'Something went wrong',
    heading: 'Sorry, looks like we have hit a snag!',
    html: `<p><a href="">Try again</a></p>
<p>${supportSentence(support)}</p>
${referenceOf(reply)}`,
  })
}
