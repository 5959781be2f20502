import { ApiError } from '@portico/client/api-error'
import { NOTICES, PorticoError } from '@portico/contracts/errors'

const DETAILS = {
  'session-not-established': { message: NOTICES.sessionNotEstablished, status: 0 },
  'session-retries-failed': { message: NOTICES.sessionRetriesFailed, status: 500 },
} as const

/** A session could not be established (§8): after one attempt, or, with status 500, after all of them. */
export class TelemetryError extends PorticoError<keyof typeof DETAILS> {
  readonly status: number

  constructor(code: keyof typeof DETAILS, options: { cause?: unknown } = {}) {
    super(code, DETAILS[code].message, options)
    this.status = DETAILS[code].status
  }
}

/** The API error that caused a failure, if any. */
export function apiErrorIn(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error
  return error instanceof TelemetryError ? apiErrorIn(error.cause) : undefined
}
