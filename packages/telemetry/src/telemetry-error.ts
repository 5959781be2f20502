import { ApiError } from '@portico/client/api-error'
import { NOTICES, PorticoError } from '@portico/contracts/errors'

const SAID = {
  'session-not-established': { message: NOTICES.sessionNotEstablished, status: 0 },
  'session-retries-failed': { message: NOTICES.sessionRetriesFailed, status: 500 },
} as const

/** A session that could not be had (§8): of one try, or of all of them, which has the status 500. */
export class TelemetryError extends PorticoError<keyof typeof SAID> {
  readonly status: number

  constructor(code: keyof typeof SAID, options: { cause?: unknown } = {}) {
    super(code, SAID[code].message, options)
    this.status = SAID[code].status
  }
}

/** The answer of the server that a failure comes from, where one came. */
export function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof TelemetryError ? apiErrorIn(error.cause) : undefined
}
