import { ApiError } from '@portico/client/api-error'
import { NOTICES } from '@portico/contracts/errors'
import type { Failure } from '@portico/shell/failure'
import { failureOf } from '@portico/shell/failure-of'

/** Refusals that mean that nobody is signed in any more. */
const SESSION_GONE: readonly unknown[] = ['session-ended', 'unauthenticated']

/** Whether a refusal is the 403 that speaks of the wallet, and not of the session (§4.2). */
export function isForbidden({ status, reason }: ApiError): boolean {
  return status === 403 && !SESSION_GONE.includes(reason)
}

/**
 * What a failed call of the wallet screens says (§8): the call's own sentence, then what the server said of it. What is
 * no answer of the server at all is a defect: it is reported, and told in §8's words.
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
  if (SESSION_GONE.includes(failure.reason)) return failure
  const { notices, advice, reason } = failure
  // Without an answer of the server itself the alert would keep to its advice, and leave out which call it was.
  const known = error.code === 'refused' && reason !== 'wordless' ? { reason } : {}
  return { notices: [sentence, ...notices], advice, ...known }
}
