import { ApiError } from '@portico/client/api-error'
import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import type { Failure } from './failure.ts'

/**
 * Reads what a call threw. A refusal and a call without an answer are failures a person can do something about;
 * anything else is a defect and is thrown on.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError) || error.code === 'unreadable') throw error
  return { notices: noticesOf(error), advice: adviceFor(error), reason: reasonOf(error) }
}

/** 'Unauthenticated' is a word between programs; to a person it means that the session has ended. */
function noticesOf(error: ApiError): readonly string[] {
  if (error.reason === 'unauthenticated') return [ERROR_CATALOGUE['session-ended'].message]
  // The sentence of §8 asks for a minute, which would contradict the advice where the wait is longer.
  if (waiting(error.retryAfterS) === undefined) return error.notices
  const { message } = ERROR_CATALOGUE['too-many-requests']
  return error.notices.map((notice) => (notice === message ? `${notice.split(';')[0]}.` : notice))
}

function reasonOf(error: ApiError): string | undefined {
  if (error.code !== 'refused') return error.code
  return isWordless(error) ? 'wordless' : error.reason
}

/** Whether something in between refused, which has no words for people; of 429 the catalogue knows what to say. */
function isWordless({ data, status }: ApiError): boolean {
  return data === undefined && status !== 429
}

function adviceFor(error: ApiError): string | undefined {
  switch (error.code) {
    case 'unreachable':
      return 'We could not reach the server. Check your connection, then try again.'
    case 'timed-out':
      return 'The server took too long to answer. Please try again.'
    case 'refused':
      return isWordless(error)
        ? 'We got no usable answer from the server. Please try again in a minute.'
        : waiting(error.retryAfterS)
    case 'unreadable':
      return undefined
  }
}

/** §8 speaks of a minute; where the wait is longer, a person should know. */
function waiting(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= 60) return undefined
  return `You can try again in ${Math.ceil(seconds / 60)} minutes.`
}
