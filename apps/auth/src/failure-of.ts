import { ApiError } from '@portico/client/api-error'
import type { Failure } from './failure.ts'

/**
 * Reads what a call threw. A refusal and a call without an answer are failures a person can do something about;
 * anything else is a defect and is thrown on.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError) || error.code === 'unreadable') throw error
  return { notices: error.notices, advice: adviceFor(error), reason: error.reason }
}

function adviceFor(error: ApiError): string | undefined {
  switch (error.code) {
    case 'unreachable':
      return 'We could not reach the server. Check your connection, then try again.'
    case 'timed-out':
      return 'The server took too long to answer. Please try again.'
    case 'refused':
      return waiting(error.retryAfterS)
    case 'unreadable':
      return undefined
  }
}

/** §8 speaks of a minute; where the wait is longer, a person should know. */
function waiting(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= 60) return undefined
  return `You can try again in ${Math.ceil(seconds / 60)} minutes.`
}
