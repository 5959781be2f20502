import { ApiError } from '@portico/client/api-error'
import { Refusal } from '@portico/contracts/errors'
import { PAGE_MESSAGES } from '@portico/contracts/notices'
import type { Services } from '@portico/flow'
import type { Failure } from './failure.ts'

/**
 * Converts the error of a call into a failure to show. Failed calls, and refusals of a wallet on this device, are failures
 * that the user can act on; any other error is a defect and is rethrown.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    return {
      notices: error.sentences,
      advice: waitAdvice(error.retryAfterS),
      reason: error.code,
    }
  }
  if (!(error instanceof ApiError) || error.code === 'unreadable') throw error
  return { notices: noticesOf(error), advice: adviceFor(error), reason: reasonOf(error) }
}

type Refused = { readonly type: 'refused'; readonly failure: Failure }

/** Wraps a flow's services: if a call fails, the service returns the flow's `refused` event. */
export function withRefusals<Event extends { type: string }, Command extends { type: string }>(
  services: Services<Event | Refused, Command>,
): Services<Event | Refused, Command> {
  const refused = (error: unknown): Refused => ({ type: 'refused', failure: failureOf(error) })
  const wrapped = Object.entries<(command: never, signal: AbortSignal) => unknown>(services).map(
    ([type, service]) => [
      type,
      (command: never, signal: AbortSignal) => {
        const answer = service(command, signal)
        return answer instanceof Promise ? answer.catch(refused) : answer
      },
    ],
  )
  return Object.fromEntries(wrapped) as typeof services // The same keys with the same parameters.
}

/** 'Unauthenticated' is a technical message; users are told that their session has ended. */
function noticesOf(error: ApiError): readonly string[] {
  if (error.reason === 'unauthenticated') return [PAGE_MESSAGES['session-ended']]
  // The sentence of §8 says to wait a minute, which would contradict the advice if the wait is longer.
  if (waitAdvice(error.retryAfterS) === undefined) return error.notices
  const message = PAGE_MESSAGES['too-many-requests']
  return error.notices.map((notice) => (notice === message ? `${notice.split(';')[0]}.` : notice))
}

function reasonOf(error: ApiError): string | undefined {
  if (error.code !== 'refused') return error.code
  return hasNoMessage(error) ? 'no-message' : error.reason
}

/** Whether the response has no message, as from a proxy. For 429 the error catalog has one. */
function hasNoMessage({ data, status }: ApiError): boolean {
  return data === undefined && status !== 429
}

function adviceFor(error: ApiError): string | undefined {
  switch (error.code) {
    case 'unreachable':
      return 'We could not reach the server. Check your connection, then try again.'
    case 'timed-out':
      return 'The server took too long to respond. Please try again.'
    case 'refused':
      return hasNoMessage(error)
        ? 'The server sent an unusable response. Please try again in a minute.'
        : waitAdvice(error.retryAfterS)
    case 'unreadable':
      return undefined
  }
}

/** §8 says to wait a minute; if the wait is longer, say how long. */
function waitAdvice(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds <= 60) return undefined
  return `You can try again in ${Math.ceil(seconds / 60)} minutes.`
}
