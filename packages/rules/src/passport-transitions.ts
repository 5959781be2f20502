/** How the status of a passport's section changes (§4.9). */
import type { ReviewState } from '@portico/contracts/passport-review'
import { PASSPORT_STATUSES, type PassportStatus } from '@portico/contracts/passport-status'

/**
 * `started`: the person begins, or edits a submitted section. `submitted`: the person is done. The others are reviewers'
 * decisions; `returned` asks for more.
 */
export type PassportEvent = 'started' | 'submitted' | 'approved' | 'returned' | 'denied'

/** The statuses of a cycle: being filled in, submitted, approved. */
type Cycle = Readonly<Record<'open' | 'submitted' | 'approved', PassportStatus>>

const NEW: Cycle = { open: 'IN_PROGRESS', submitted: 'PENDING', approved: 'VALID' }
/** An edited section stays marked as previously approved. */
const EDITED: Cycle = {
  open: 'VALID_IN_PROGRESS',
  submitted: 'VALID_PENDING',
  approved: 'VALID',
}
const EDITED_WITHOUT_KYC: Cycle = {
  open: 'VALID_NO_KYC_IN_PROGRESS',
  submitted: 'VALID_NO_KYC_PENDING',
  approved: 'VALID_NO_KYC',
}

type Transitions = Readonly<Partial<Record<PassportEvent, PassportStatus>>>

const open = ({ submitted }: Cycle): Transitions => ({ submitted })

const submitted = (cycle: Cycle): Transitions => ({
  started: cycle.open,
  approved: cycle.approved,
  returned: cycle.open,
  denied: 'DENIED',
})

const ended = ({ open: started }: Cycle): Transitions => ({ started })

const TRANSITIONS: Readonly<Record<PassportStatus, Transitions>> = {
  UNKNOWN_STATUS: ended(NEW),
  IN_PROGRESS: open(NEW),
  PENDING: submitted(NEW),
  VALID: ended(EDITED),
  VALID_IN_PROGRESS: open(EDITED),
  VALID_PENDING: submitted(EDITED),
  CANCELLED: ended(NEW),
  DENIED: ended(NEW),
  VALID_NO_KYC: ended(EDITED_WITHOUT_KYC),
  VALID_NO_KYC_IN_PROGRESS: open(EDITED_WITHOUT_KYC),
  VALID_NO_KYC_PENDING: submitted(EDITED_WITHOUT_KYC),
  // Another system ends this status, so here the person can only start over.
  AWAITING_EOS: ended(NEW),
  VALID_AWAITING_EOS: ended(EDITED),
  VALID_NO_KYC_AWAITING_EOS: ended(EDITED_WITHOUT_KYC),
}

/** The status after an event; undefined if the event is not possible in this status. */
export function statusAfter(
  status: PassportStatus,
  event: PassportEvent,
): PassportStatus | undefined {
  return TRANSITIONS[status][event]
}

/** Whether the answers can be changed without starting over. */
export function isOpenForAnswers(status: PassportStatus): boolean {
  return statusAfter(status, 'submitted') !== undefined
}

/** Whether a reviewer can decide. */
export function isWaitingForReview(status: PassportStatus): boolean {
  return statusAfter(status, 'approved') !== undefined
}

/** The statuses of submitted sections by review filter. */
export const STATUSES_IN_REVIEW: Readonly<Record<ReviewState, readonly PassportStatus[]>> = {
  waiting: PASSPORT_STATUSES.filter(isWaitingForReview),
  'with-investor': PASSPORT_STATUSES.filter(isOpenForAnswers),
  approved: ['VALID', 'VALID_NO_KYC'],
  denied: ['DENIED'],
}

/** The last entry of each section's timeline, if it is a decision, that is, the section has not been resubmitted since. */
export function openDecisions<
  Entry extends { readonly section: string; readonly event: PassportEvent },
>(history: readonly Entry[]): Entry[] {
  const last = new Map(history.map((entry) => [entry.section, entry]))
  return [...last.values()].filter(({ event }) => event !== 'submitted')
}
