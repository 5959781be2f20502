import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Choice, Question } from '../approval-request.ts'
import type { Asked } from '../key-keeper.ts'
import { isLocked } from '../session-gone.ts'

/** What would be approved: something described in words, or one of the ways to connect. */
export type ApprovalDetails =
  | ({ readonly kind: 'act' } & Asked)
  | { readonly kind: 'connect'; readonly chosen: Choice | undefined }

/** What the person has done with what is shown. */
interface Review {
  /** Whether its end was in sight. */
  readonly endSeen: boolean
  /** Whether they said that they approve what no one can tell them. */
  readonly riskAccepted: boolean
}

/**
 * One question of a page. What is shown has to stand still before it can be answered (`appearing`), and is asked anew
 * where it was refused: an approval is good once.
 */
export type State =
  | { step: 'preparing'; question: Question }
  | { step: 'appearing'; question: Question; matter: ApprovalDetails; review: Review }
  | { step: 'asking'; question: Question; matter: ApprovalDetails; review: Review }
  /** The person proves who they are for this very approval; nothing is approved by that. */
  | {
      step: 'proving'
      question: Question
      matter: Extract<ApprovalDetails, { kind: 'act' }>
      review: Review
    }
  | { step: 'approving'; question: Question; matter: ApprovalDetails; review: Review }
  | { step: 'stopped'; question: Question; failure: Failure }
  /** Nothing is signed before the person has proven who they are; then it is asked anew. */
  | { step: 'locked'; question: Question }
  /** It is unknown whether a transaction was sent. Asking again could send it twice, so that is not offered. */
  | { step: 'doubtful'; question: Question; failure: Failure }
  | { step: 'answered' }

/** What a question handles. */
export type Event =
  | { type: 'told'; asked: Asked }
  | { type: 'settled' }
  | { type: 'disturbed' }
  | { type: 'endSeen' }
  | { type: 'riskAnswered'; accepted: boolean }
  | { type: 'chosen'; value: string }
  | { type: 'approved' }
  | { type: 'proven' }
  | { type: 'proofLeft' }
  | { type: 'rejected' }
  | { type: 'given'; result: ApprovalResult }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'unlocked' }

/** What a question has done. */
export type Command =
  | { type: 'ask'; request: ApprovalRequest }
  | { type: 'awaitStillness' }
  | { type: 'awaitDisturbance' }
  | { type: 'approve'; approvalId: string }
  | { type: 'connect'; request: ApprovalRequest }
  | { type: 'turnDown'; approvalId: string }
  | { type: 'handBack'; questionId: number; result: ApprovalResult | undefined }

const UNREAD: Review = { endSeen: false, riskAccepted: false }

function begin(question: Question): Next<State, Command> {
  return question.kind === 'act'
    ? [
        { step: 'preparing', question },
        { type: 'ask', request: question.request },
      ]
    : appear({ question, matter: { kind: 'connect', chosen: question.choices[0] }, review: UNREAD })
}

type Shown = { question: Question; matter: ApprovalDetails; review: Review }

const appear = ({ question, matter, review }: Shown): Next<State, Command> => [
  { step: 'appearing', question, matter, review },
  { type: 'awaitStillness' },
]

const answered = (
  question: Question,
  result: ApprovalResult | undefined,
  ...commands: Command[]
): Next<State, Command> => [
  { step: 'answered' },
  ...commands,
  { type: 'handBack', questionId: question.id, result },
]

function turnDown({ question, matter }: Pick<Shown, 'question' | 'matter'>): Next<State, Command> {
  return matter.kind === 'act'
    ? answered(question, undefined, { type: 'turnDown', approvalId: matter.approvalId })
    : answered(question, undefined)
}

const stop = (question: Question, failure: Failure): Next<State, Command> => [
  isLocked(failure) ? { step: 'locked', question } : { step: 'stopped', question, failure },
]

/** What the person does with what is shown, while it may still move and once it stands still. */
const reviewing = {
  endSeen: <Reviewed extends Shown>(state: Reviewed): [Reviewed] => [
    { ...state, review: { ...state.review, endSeen: true } },
  ],
  riskAnswered: <Reviewed extends Shown>(
    state: Reviewed,
    { accepted }: { accepted: boolean },
  ): [Reviewed] => [{ ...state, review: { ...state.review, riskAccepted: accepted } }],
  chosen: <Choosing extends Shown>(state: Choosing, { value }: { value: string }): [Choosing] => [
    choose(state, value),
  ],
}

/** The table of a question. */
export const approval = flow<State, Event, Command, Question>({
  name: 'approval',
  begin,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    preparing: {
      told: ({ question }, { asked }) =>
        appear({ question, matter: { kind: 'act', ...asked }, review: UNREAD }),
      refused: ({ question }, { failure }) => stop(question, failure),
      rejected: ({ question }) => answered(question, undefined),
    },
    appearing: {
      ...reviewing,
      settled: ({ question, matter, review }) => [
        { step: 'asking', question, matter, review },
        { type: 'awaitDisturbance' },
      ],
      refused: ({ question }, { failure }) => stop(question, failure),
    },
    asking: {
      ...reviewing,
      disturbed: appear,
      approved(state) {
        const { question, matter, review } = state
        if (!mayApprove(state)) return [state]
        const next = { step: 'approving', question, matter, review } as const
        if (matter.kind === 'act') {
          return matter.proof === null
            ? [next, { type: 'approve', approvalId: matter.approvalId }]
            : [{ step: 'proving', question, matter, review }]
        }
        return matter.chosen === undefined
          ? turnDown(state)
          : [next, { type: 'connect', request: matter.chosen.request }]
      },
      rejected: turnDown,
      refused: ({ question }, { failure }) => stop(question, failure),
    },
    proving: {
      // Proving is not approving: what is sent is shown once more.
      proven: ({ question, matter, review }) =>
        appear({ question, matter: { ...matter, proof: null }, review }),
      proofLeft: appear,
      rejected: turnDown,
    },
    approving: {
      given: ({ question }, { result }) => answered(question, result),
      refused({ question, matter, review }, { failure }) {
        // What was sent meanwhile may have used up what leaves without a proof.
        if (failure.reason === 'approval-unproven' && matter.kind === 'act') {
          return [{ step: 'proving', question, matter, review }]
        }
        return sends(question) && !isRefusal(failure)
          ? [{ step: 'doubtful', question, failure }]
          : stop(question, failure)
      },
    },
    stopped: {
      retried: ({ question }) => begin(question),
      rejected: ({ question }) => answered(question, undefined),
    },
    locked: {
      unlocked: ({ question }) => begin(question),
      rejected: ({ question }) => answered(question, undefined),
    },
    doubtful: {
      rejected: ({ question }) => answered(question, undefined),
    },
    answered: {},
  },
})

function choose<Choosing extends Shown>(state: Choosing, value: string): Choosing {
  const { question, matter } = state
  if (question.kind !== 'connect' || matter.kind !== 'connect') return state
  const chosen = question.choices.find((choice) => choice.value === value)
  return chosen === undefined ? state : { ...state, matter: { kind: 'connect', chosen } }
}

/** Whether what would be signed was read to its end, and confirmed once more where no one can tell what it does. */
export function mayApprove({ matter, review }: Pick<Shown, 'matter' | 'review'>): boolean {
  return !isUnread({ matter, review }) && (review.riskAccepted || !isRisky(matter))
}

/** Whether there is more to read. A list of accounts is a choice: the chosen one is in it, wherever it ends. */
export function isUnread({ matter, review }: Pick<Shown, 'matter' | 'review'>): boolean {
  return matter.kind === 'act' && !review.endSeen
}

/** Whether what would be signed is not understood, or not as a whole. */
export function isRisky(matter: ApprovalDetails): boolean {
  if (matter.kind !== 'act') return false
  const { words } = matter
  if (words.kind !== 'transaction') return words.kind === 'bytes'
  return words.extensions > 0 || words.messages.some(({ understood }) => !understood)
}

const sends = (question: Question) => question.kind === 'act' && question.request.kind === 'send'

/** A call without an answer, or with one that could not be read, may have been carried out. */
function isRefusal({ reason }: Failure): boolean {
  return (
    reason !== undefined &&
    !['unreachable', 'timed-out', 'server-fault', 'not-ready'].includes(reason)
  )
}
