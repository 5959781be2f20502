import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Asked } from '../key-keeper.ts'
import type { Choice, Question } from '../question.ts'
import { isLocked } from '../session-gone.ts'

/** What would be approved: something told in words, or one of the ways to connect. */
export type Matter =
  | ({ readonly kind: 'act' } & Asked)
  | { readonly kind: 'connect'; readonly chosen: Choice | undefined }

/**
 * One question of a page. What is shown has to stand still before it can be answered (`appearing`), and is asked anew
 * where it was refused: an approval is good once.
 */
export type State =
  | { step: 'preparing'; question: Question }
  | { step: 'appearing'; question: Question; matter: Matter }
  | { step: 'asking'; question: Question; matter: Matter }
  | { step: 'approving'; question: Question; matter: Matter }
  | { step: 'stopped'; question: Question; failure: Failure }
  /** Nothing is signed before the person has proven who they are; then it is asked anew. */
  | { step: 'locked'; question: Question }
  /** Nobody answered whether a transaction was sent. Asking again could send it twice, so that is not offered. */
  | { step: 'doubtful'; question: Question; failure: Failure }
  | { step: 'answered' }

/** What a question hears. */
export type Event =
  | { type: 'told'; asked: Asked }
  | { type: 'settled' }
  | { type: 'disturbed' }
  | { type: 'chosen'; value: string }
  | { type: 'approved' }
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

function begin(question: Question): Next<State, Command> {
  return question.kind === 'act'
    ? [
        { step: 'preparing', question },
        { type: 'ask', request: question.request },
      ]
    : appear(question, { kind: 'connect', chosen: question.choices[0] })
}

const appear = (question: Question, matter: Matter): Next<State, Command> => [
  { step: 'appearing', question, matter },
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

function turnDown(question: Question, matter: Matter): Next<State, Command> {
  const { kind } = matter
  return kind === 'act'
    ? answered(question, undefined, { type: 'turnDown', approvalId: matter.approvalId })
    : answered(question, undefined)
}

const stop = (question: Question, failure: Failure): Next<State, Command> => [
  isLocked(failure) ? { step: 'locked', question } : { step: 'stopped', question, failure },
]

/** The table of a question. */
export const approval = flow<State, Event, Command, Question>({
  name: 'approval',
  begin,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    preparing: {
      told: ({ question }, { asked }) => appear(question, { kind: 'act', ...asked }),
      refused: ({ question }, { failure }) => stop(question, failure),
      rejected: ({ question }) => answered(question, undefined),
    },
    appearing: {
      settled: ({ question, matter }) => [
        { step: 'asking', question, matter },
        { type: 'awaitDisturbance' },
      ],
      chosen: (state, { value }) => [choose(state, value)],
      refused: ({ question }, { failure }) => stop(question, failure),
    },
    asking: {
      disturbed: ({ question, matter }) => appear(question, matter),
      chosen: (state, { value }) => [choose(state, value)],
      approved({ question, matter }) {
        const next = { step: 'approving', question, matter } as const
        if (matter.kind === 'act') {
          return [next, { type: 'approve', approvalId: matter.approvalId }]
        }
        return matter.chosen === undefined
          ? turnDown(question, matter)
          : [next, { type: 'connect', request: matter.chosen.request }]
      },
      rejected: ({ question, matter }) => turnDown(question, matter),
      refused: ({ question }, { failure }) => stop(question, failure),
    },
    approving: {
      given: ({ question }, { result }) => answered(question, result),
      refused: ({ question }, { failure }) =>
        sends(question) && !isRefusal(failure)
          ? [{ step: 'doubtful', question, failure }]
          : stop(question, failure),
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

function choose<Choosing extends Extract<State, { matter: Matter }>>(
  state: Choosing,
  value: string,
): Choosing {
  const { question, matter } = state
  if (question.kind !== 'connect' || matter.kind !== 'connect') return state
  const chosen = question.choices.find((choice) => choice.value === value)
  return chosen === undefined ? state : { ...state, matter: { kind: 'connect', chosen } }
}

const sends = (question: Question) => question.kind === 'act' && question.request.kind === 'send'

/** A call without an answer, or with one that nobody could read, may have been carried out. */
function isRefusal({ reason }: Failure): boolean {
  return reason !== undefined && !['unreachable', 'timed-out', 'server-fault'].includes(reason)
}
