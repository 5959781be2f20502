import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The framework's own refusals by their status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-too-slow',
  413: 'request-too-large',
  415: 'unsupported-media-type',
}

/** Answers every failure in the error shape of §3; what is no refusal is a defect, logged and told without internals. */
export function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal.status >= 500) request.log.error({ err: error }, 'defect')
    return send(reply, refusal)
  })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const { statusCode: status, message } = error as { statusCode?: number; message?: string }
  if (status === undefined || status >= 500) return new Refusal('server-fault', { cause: error })
  const code = BY_STATUS[status]
  if (code !== undefined) return new Refusal(code, { cause: error })
  return new Refusal('invalid-request', { errors: [message ?? 'The request is not valid.'] })
}

function send(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfterS !== undefined) void reply.header('retry-after', refusal.retryAfterS)
  return reply.code(refusal.status).header('cache-control', 'no-store').send(refusal.body)
}
