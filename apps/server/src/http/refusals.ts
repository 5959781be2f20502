import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import type { CompanyInfo } from '@portico/contracts/organization'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../escape-html.ts'
import { sendPlainPage } from './plain-page.ts'
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
    if (refusal.status >= 500) request.log.error({ reqId: request.id, err: error }, 'defect')
    if (refusal.retryAfterS !== undefined) void reply.header('retry-after', refusal.retryAfterS)
    void reply.code(refusal.status).header('cache-control', 'no-store')
    return wantsPage(request) ? sendPage(reply, support) : reply.send(refusal.body)
  })
}

/** Whether a person's browser asked for a page. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
}

/** Answers what the framework refuses before any hook of ours has run: an address that cannot be decoded. */
export function answerUnreadableAddress(
  error: unknown,
  _request: unknown,
  reply: FastifyReply,
): void {
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
  const { statusCode: status, message } = error as { statusCode?: number; message?: string }
  if (status === undefined || status >= 500) return new Refusal('server-fault', { cause: error })
  const code = BY_STATUS[status]
  if (code !== undefined) return new Refusal(code, { cause: error })
  return new Refusal('invalid-request', { errors: [message ?? 'The request is not valid.'] })
}

/** The error screen of §2.8 where the application that draws it has failed. */
function sendPage(reply: FastifyReply, { supportPhone, supportEmail }: Support): FastifyReply {
  const [phone, email] = [escapeHtml(formatPhone(supportPhone)), escapeHtml(supportEmail)]
  return sendPlainPage(reply, {
    title: 'Something went wrong',
    heading: 'Sorry, looks like we have hit a snag!',
    html: `<p><a href="">Try again</a></p>
<p>If it does not help, call <a href="${phoneLink(supportPhone)}">${phone}</a> or write to <a href="mailto:${email}">${email}</a>.</p>`,
  })
}
