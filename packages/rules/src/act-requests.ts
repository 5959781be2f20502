/** The state of a request for an act that needs a second operator, and who may decide on it. */
import type { ActRequestState } from '@portico/contracts/admin/act-requests'

/** An approved act that has not completed within this time was interrupted. */
export const MAX_RUNNING_MS = 5 * 60 * 1000

/** The current state: `expired` and `interrupted` follow from the time before they are stored. */
export function actRequestState(
  request: {
    readonly state: ActRequestState
    readonly expiresAt: number
    readonly decidedAt: number | null
  },
  at: number,
): ActRequestState {
  const { state, expiresAt, decidedAt } = request
  if (state === 'waiting' && at >= expiresAt) return 'expired'
  if (state === 'running' && at >= (decidedAt ?? 0) + MAX_RUNNING_MS) return 'interrupted'
  return state
}

interface Requester {
  /** The identity or the service token. */
  readonly requestedBy: string
  /** The person, or the creator of the token. */
  readonly requesterPerson: string
}

/** Why an operator cannot decide on a request; undefined if they can. Programs cannot, because no person confirms. */
export function decisionRefusal(
  { requestedBy, requesterPerson }: Requester,
  operator: { readonly kind: 'person' | 'token'; readonly id: string },
): 'not-permitted' | 'own-request' | undefined {
  if (operator.kind === 'token') return 'not-permitted'
  return [requestedBy, requesterPerson].includes(operator.id) ? 'own-request' : undefined
}
