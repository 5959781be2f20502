import { ApiError } from '@portico/client/api-error'
import { NOTICES } from '@portico/contracts/notices'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'

/** Error codes meaning that the session has ended. */
const SESSION_ENDED_CODES: readonly unknown[] = ['session-ended', 'unauthenticated']

/** Whether an error is a 403 about the wallet rather than the session (§4.2). */
export function isForbidden({ status, reason }: ApiError): boolean {
  return status === 403 && !SESSION_ENDED_CODES.includes(reason)
}

/**
 * The failure shown for a call of the wallet screens (§8): the call's own sentence, then the server's messages. Anything
 * that is not a server response is a defect: it is reported and shown with the generic text of §8.
 */
export function callFailure(
  error: unknown,
  sentence: string,
  report: (error: unknown) => void,
): Failure {
  if (!(error instanceof ApiError) || error.code === 'unreadable') {
    report(error)
    return { notices: [sentence, NOTICES.notAxios] }
  }
  const failure = failureOf(error)
  if (SESSION_ENDED_CODES.includes(failure.reason)) return failure
  const { notices, advice, reason } = failure
  // For these reasons the alert shows only its advice; without a reason it also shows which call failed.
  const known = error.code === 'refused' && reason !== 'no-message' ? { reason } : {}
  return { notices: [sentence, ...notices], advice, ...known }
}
