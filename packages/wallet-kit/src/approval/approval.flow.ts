import type { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'
import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { ApprovalPrompt, Choice, PromptAnswer } from '../approval-prompt.ts'
import type { PendingApproval } from '../key-keeper.ts'
import { isLocked } from '../session-gone.ts'

/** What would be approved: a decoded request, or a choice of account to connect. */
export type ApprovalDetails =
  | ({ readonly kind: 'act' } & PendingApproval)
  | { readonly kind: 'connect'; readonly chosen: Choice | undefined }

/** What the user has done while reviewing. */
interface Review {
  /** Whether the end of the content was visible. */
  readonly endSeen: boolean
  /** Whether the user accepted the risk of content that cannot be decoded. */
  readonly riskAccepted: boolean
  /** Whether the user accepted a fee far above the network's price. */
  readonly feeAccepted: boolean
}

/**
 * The approval of one request. The content has to stay still and visible before the user can answer (`appearing`). After a
 * refusal a new approval is requested, because each is valid only once.
 */
export type State =
  | { step: 'preparing'; prompt: ApprovalPrompt }
  | { step: 'appearing'; prompt: ApprovalPrompt; details: ApprovalDetails; review: Review }
  | { step: 'asking'; prompt: ApprovalPrompt; details: ApprovalDetails; review: Review }
  /** The user confirms their identity for this approval; that alone approves nothing. */
  | {
      step: 'proving'
      prompt: ApprovalPrompt
      details: Extract<ApprovalDetails, { kind: 'act' }>
      review: Review
    }
  | { step: 'approving'; prompt: ApprovalPrompt; details: ApprovalDetails; review: Review }
  | { step: 'stopped'; prompt: ApprovalPrompt; failure: Failure }
  /** The wallet is locked. After unlocking, the approval is requested again. */
  | { step: 'locked'; prompt: ApprovalPrompt }
  /** It is unknown whether a transaction was sent. Retrying could send it twice, so it is not offered. */
  | { step: 'outcomeUnknown'; prompt: ApprovalPrompt; failure: Failure }
  | { step: 'answered' }

/** The events of an approval. */
export type Event =
  | { type: 'approvalCreated'; approval: PendingApproval }
  | { type: 'settled' }
  | { type: 'disturbed' }
  | { type: 'endSeen' }
  | { type: 'riskAnswered'; accepted: boolean }
  | { type: 'feeAnswered'; accepted: boolean }
  | { type: 'chosen'; value: string }
  | { type: 'approved' }
  | { type: 'proven' }
  | { type: 'proofCancelled' }
  | { type: 'rejected' }
  | { type: 'acknowledged' }
  | { type: 'resultReceived'; result: ApprovalResult | Proposed }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  /** The wallet was locked or unlocked elsewhere. An approval that is being carried out continues. */
  | { type: 'locked' }
  | { type: 'unlocked' }

/** The commands of an approval. */
export type Command =
  | { type: 'requestApproval'; request: ApprovalRequest }
  | { type: 'awaitStillness' }
  | { type: 'awaitDisturbance' }
  | { type: 'approve'; approvalId: string }
  | { type: 'connect'; request: ApprovalRequest }
  /** Nothing was carried out: the page can withdraw the request again. */
  | { type: 'release' }
  | { type: 'reject'; approvalId: string }
  | { type: 'returnResult'; promptId: string; result: PromptAnswer }

const UNREAD: Review = { endSeen: false, riskAccepted: false, feeAccepted: false }

function begin(prompt: ApprovalPrompt): Next<State, Command> {
  return prompt.kind === 'act'
    ? [
        { step: 'preparing', prompt },
        { type: 'requestApproval', request: prompt.request },
      ]
    : appear({ prompt, details: { kind: 'connect', chosen: prompt.choices[0] }, review: UNREAD })
}

type ReviewState = { prompt: ApprovalPrompt; details: ApprovalDetails; review: Review }

const appear = ({ prompt, details, review }: ReviewState): Next<State, Command> => [
  { step: 'appearing', prompt, details, review },
  { type: 'awaitStillness' },
]

const answered = (
  prompt: ApprovalPrompt,
  result: PromptAnswer,
  ...commands: Command[]
): Next<State, Command> => [
  { step: 'answered' },
  ...commands,
  { type: 'returnResult', promptId: prompt.id, result },
]

function rejectApproval({
  prompt,
  details,
}: Pick<ReviewState, 'prompt' | 'details'>): Next<State, Command> {
  return details.kind === 'act'
    ? answered(prompt, undefined, { type: 'reject', approvalId: details.approvalId })
    : answered(prompt, undefined)
}

const stop = (
  prompt: ApprovalPrompt,
  failure: Failure,
  ...commands: Command[]
): Next<State, Command> => [
  isLocked(failure) ? { step: 'locked', prompt } : { step: 'stopped', prompt, failure },
  ...commands,
]

/** What was being read is discarded: after unlocking, the request is shown from the start. */
const lock = ({ prompt }: { prompt: ApprovalPrompt }): Next<State, Command> => [
  { step: 'locked', prompt },
]

/** The review events, handled both before and after the content has settled. */
const reviewing = {
  endSeen: <Step extends ReviewState>(state: Step): [Step] => [
    { ...state, review: { ...state.review, endSeen: true } },
  ],
  riskAnswered: <Step extends ReviewState>(
    state: Step,
    { accepted }: { accepted: boolean },
  ): [Step] => [{ ...state, review: { ...state.review, riskAccepted: accepted } }],
  feeAnswered: <Step extends ReviewState>(
    state: Step,
    { accepted }: { accepted: boolean },
  ): [Step] => [{ ...state, review: { ...state.review, feeAccepted: accepted } }],
  chosen: <Step extends ReviewState>(state: Step, { value }: { value: string }): [Step] => [
    choose(state, value),
  ],
}

export const approval = flow<State, Event, Command, ApprovalPrompt>({
  name: 'approval',
  begin,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    preparing: {
      approvalCreated: ({ prompt }, { approval }) =>
        appear({ prompt, details: { kind: 'act', ...approval }, review: UNREAD }),
      refused: ({ prompt }, { failure }) => stop(prompt, failure),
      rejected: ({ prompt }) => answered(prompt, undefined),
      locked: lock,
    },
    appearing: {
      locked: lock,
      ...reviewing,
      settled: ({ prompt, details, review }) => [
        { step: 'asking', prompt, details, review },
        { type: 'awaitDisturbance' },
      ],
      refused: ({ prompt }, { failure }) => stop(prompt, failure),
    },
    asking: {
      ...reviewing,
      locked: lock,
      disturbed: appear,
      approved(state) {
        const { prompt, details, review } = state
        if (!mayApprove(state)) return [state]
        const next = { step: 'approving', prompt, details, review } as const
        if (details.kind === 'act') {
          return details.proof === null
            ? [next, { type: 'approve', approvalId: details.approvalId }]
            : [{ step: 'proving', prompt, details, review }]
        }
        return details.chosen === undefined
          ? rejectApproval(state)
          : [next, { type: 'connect', request: details.chosen.request }]
      },
      rejected: rejectApproval,
      refused: ({ prompt }, { failure }) => stop(prompt, failure),
    },
    proving: {
      // Confirming an identity is not an approval: the content is shown again.
      proven: ({ prompt, details, review }) =>
        appear({ prompt, details: { ...details, proof: null }, review }),
      proofCancelled: appear,
      rejected: rejectApproval,
      locked: lock,
    },
    approving: {
      resultReceived: ({ prompt }, { result }) => answered(prompt, result),
      refused({ prompt, details, review }, { failure }) {
        // Another transaction may have used up the daily limit for sending without confirmation.
        if (failure.reason === 'approval-unproven' && details.kind === 'act') {
          return [{ step: 'proving', prompt, details, review }, { type: 'release' }]
        }
        return sends(prompt) && !isRefusal(failure)
          ? [{ step: 'outcomeUnknown', prompt, failure }]
          : stop(prompt, failure, { type: 'release' })
      },
    },
    stopped: {
      retried: ({ prompt }) => begin(prompt),
      rejected: ({ prompt }) => answered(prompt, undefined),
      locked: lock,
    },
    locked: {
      unlocked: ({ prompt }) => begin(prompt),
      rejected: ({ prompt }) => answered(prompt, undefined),
    },
    outcomeUnknown: {
      acknowledged: ({ prompt }) => answered(prompt, 'outcome-unknown'),
    },
    answered: {},
  },
})

function choose<Step extends ReviewState>(state: Step, value: string): Step {
  const { prompt, details } = state
  if (prompt.kind !== 'connect' || details.kind !== 'connect') return state
  const chosen = prompt.choices.find((choice) => choice.value === value)
  return chosen === undefined ? state : { ...state, details: { kind: 'connect', chosen } }
}

/**
 * Whether the content was read to its end and, if it cannot be fully decoded or its fee is far above the network's price, that was
 * accepted.
 */
export function mayApprove({ details, review }: Pick<ReviewState, 'details' | 'review'>): boolean {
  if (isUnread({ details, review })) return false
  if (isRisky(details) && !review.riskAccepted) return false
  return review.feeAccepted || highFee(details) === undefined
}

/** Whether there is more to read. A list of accounts does not have to be read to its end. */
export function isUnread({ details, review }: Pick<ReviewState, 'details' | 'review'>): boolean {
  return details.kind === 'act' && !review.endSeen
}

/** The fee, if the page has set it far above the network's price. */
export function highFee(details: ApprovalDetails): string | undefined {
  if (details.kind !== 'act' || details.words.kind !== 'transaction') return undefined
  return details.words.usualFee === null ? undefined : details.words.fee
}

/** Whether the content could not be fully decoded. */
export function isRisky(details: ApprovalDetails): boolean {
  if (details.kind !== 'act') return false
  const { words } = details
  if (words.kind !== 'transaction') return words.kind === 'bytes'
  return words.extensions > 0 || words.messages.some(({ understood }) => !understood)
}

const sends = (prompt: ApprovalPrompt) => prompt.kind === 'act' && prompt.request.kind === 'send'

/** Failures after which the call may have been carried out. */
const UNCERTAIN = [
  'unreachable',
  'timed-out',
  'server-fault',
  'not-ready',
  'no-message',
  'transaction-unconfirmed',
]

function isRefusal({ reason }: Failure): boolean {
  return reason !== undefined && !UNCERTAIN.includes(reason)
}
