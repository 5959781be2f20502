import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { viewingOf } from '../http/viewing.ts'
import { currentTraceId, traceIdOf } from '../tracing/tracing.ts'

/** Headers and fields that are redacted in logs. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'password',
  'newPassword',
  'token',
  'code',
  'jwt',
  'secret',
  'email',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/**
 * The log: one JSON line per event, with host and process. Fields named like secrets, codes, tokens or addresses are
 * redacted, and so are e-mail addresses, tokens and codes inside error messages.
 */
export function openLog(level: string, write?: (line: string) => void) {
  return pino(
    {
      level,
      mixin: () => {
        const traceId = currentTraceId()
        return traceId === undefined ? {} : { traceId }
      },
      redact: { paths: SECRET_PATHS, censor },
      serializers: { err: (error: Error) => safeError(error) },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
    },
    { write: write ?? inBatches((lines) => void process.stderr.write(lines)) },
  )
}

/**
 * Writes the lines of one event loop turn together, because under load a system call per line costs more than
 * formatting it. Remaining lines are written when the process exits.
 */
function inBatches(write: (lines: string) => void): (line: string) => void {
  let buffer = ''
  const flush = () => {
    const lines = buffer
    buffer = ''
    if (lines !== '') write(lines)
  }
  process.once('exit', flush)
  return (line) => {
    if (buffer === '') setImmediate(flush)
    buffer += line
  }
}

/** An error's code, such as ECONNREFUSED, which is not redacted. Any other field named `code` may be a passcode. */
class ErrorCode {
  readonly #code: string

  constructor(code: string) {
    this.#code = redact(code)
  }

  toJSON(): string {
    return this.#code
  }
}

const censor = (value: unknown) => (value instanceof ErrorCode ? value : '[redacted]')

/** Removes e-mail addresses, tokens and passcodes from text. */
export function redact(text: string): string {
  return text
    .replace(/[^\s"'<>@/?&=]{1,64}@[^\s"'<>@/?&=]{1,255}/g, '[email]')
    .replace(/eyJ[\w-]+(?:\.[\w-]+){0,2}/g, '[token]')
    .replace(/\b\d{6}\b/g, '[code]')
}

function safeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: redact(String(error)) }
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    message: redact(error.message),
    ...(typeof code === 'string' ? { code: new ErrorCode(code) } : {}),
    stack: redact(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: safeError(error.cause) }),
  }
}

/** Logs each response, with the route's pattern instead of the URL, which may contain personal data. */
export function logRequests(app: FastifyInstance): void {
  // A child logger per request would be a large part of its cost; the log lines contain the request id instead.
  app.setChildLoggerFactory((logger) => logger)
  // These lines contain nothing from the request but its method, trace id and IDs of ours, so redaction is off: it would be the
  // largest cost of a line.
  const plain = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const traceId = traceIdOf(request)
    plain.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(traceId === undefined ? {} : { traceId }),
        // The person and the operator who views their pages.
        ...viewingOf(request),
      },
      'request',
    )
    done()
  })
}
