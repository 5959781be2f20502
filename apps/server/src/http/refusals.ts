import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import { formatPhone, phoneLink } from '@portico/rules/phone'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../escape-html.ts'

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
export function answerRefusals(app: FastifyInstance, supportPhone: string): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) request.log.error({ err: error }, 'defect')
    if (refusal.retryAfterS !== undefined) void reply.header('retry-after', refusal.retryAfterS)
    void reply.code(refusal.status).header('cache-control', 'no-store')
    return wantsPage(request) ? sendPage(reply, supportPhone) : reply.send(refusal.body)
  })
}

/** Whether a person's browser asked for a page. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
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
function sendPage(reply: FastifyReply, supportPhone: string): FastifyReply {
  const phone = escapeHtml(formatPhone(supportPhone))
  return reply.type('text/html; charset=utf-8').send(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Something went wrong</title></head>
<body><main><h1>Sorry, looks like we have hit a snag!</h1>
<p><a href="">Try again</a></p>
<p>If it does not help, call <a href="${phoneLink(supportPhone)}">${phone}</a>.</p></main></body></html>`)
}
