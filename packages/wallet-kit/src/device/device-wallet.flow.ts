import { flow, type Next } from '@portico/flow'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import {
  type ApprovalPrompt,
  type Decision,
  decisionOf,
  type PromptAnswer,
} from '../approval-prompt.ts'
import type { PageReturn, VaultState } from '../device-wallet.ts'

/** The vault, the request that waits for the user, and how the previous one ended. */
export interface Situation {
  readonly vault: VaultState
  readonly prompt: ApprovalPrompt | undefined
  /** The number of waiting requests, even if none can be shown yet. */
  readonly waiting: number
  readonly decided: Decision | undefined
  /** Where the page asked the user to return to. */
  readonly pageReturn: PageReturn | undefined
}

/**
 * The wallet on the user's device. A request is shown as soon as the wallet is unlocked, and then stays until it was answered or
 * withdrawn, because locking the wallet must not lose the result of an approval.
 */
export type State =
  | { step: 'loading' }
  | { step: 'stopped'; failure: Failure }
  /** No wallet was created on this device. */
  | { step: 'onboarding'; prompt: ApprovalPrompt | undefined }
  | {
      step: 'locked'
      vault: Extract<VaultState, { step: 'locked' }>
      prompt: ApprovalPrompt | undefined
      waiting: number
    }
  | { step: 'approving'; prompt: ApprovalPrompt; waiting: number; vault: VaultState }
  /** `now` is undefined until the request source no longer shows the answered request. */
  | {
      step: 'decided'
      decision: Decision
      answeredId: string
      now: Situation | undefined
      isContinuing: boolean
    }
  | { step: 'home'; vault: Extract<VaultState, { step: 'unlocked' }>; isNew: boolean }

export type Event =
  | { type: 'changed'; now: Situation }
  | { type: 'refused'; failure: Failure }
  | { type: 'retried' }
  | { type: 'answered'; promptId: string; result: PromptAnswer }
  /** Rejected without unlocking the wallet. */
  | { type: 'rejected' }
  | { type: 'continued' }
  /** The outcome was shown for long enough to be read. */
  | { type: 'delayPassed'; how: Decision['how'] }

export type Command =
  | { type: 'watch' }
  | { type: 'answer'; promptId: string; result: PromptAnswer }
  /** The last request has ended: a window that was opened for requests closes. */
  | { type: 'finish' }
  | { type: 'delayContinue'; how: Decision['how'] }

type Step = Next<State, Command>

const WATCH = { type: 'watch' } as const

function show({ vault, prompt, waiting }: Situation, before: State['step']): Step {
  switch (vault.step) {
    case 'empty':
      return [{ step: 'onboarding', prompt }, WATCH]
    case 'locked':
      return [{ step: 'locked', vault, prompt, waiting }, WATCH]
    case 'unlocked':
      return prompt === undefined
        ? [{ step: 'home', vault, isNew: before === 'onboarding' }, WATCH]
        : [{ step: 'approving', prompt, waiting: prompt.waiting, vault }, WATCH]
  }
}

/** Shows what is left after a request has ended. */
function showNext(now: Situation, before: State['step']): Step {
  const isLast = now.prompt === undefined && now.waiting === 0
  return [...show(now, before), ...(isLast ? [{ type: 'finish' } as const] : [])]
}

/** Shows how the request ended that was on the screen, if it was answered or withdrawn elsewhere. */
function showEnd(prompt: ApprovalPrompt, now: Situation, before: State['step']): Step {
  return now.decided === undefined ? showNext(now, before) : outcome(now.decided, prompt.id, now)
}

const outcome = (decision: Decision, answeredId: string, now: Situation | undefined): Step => [
  { step: 'decided', decision, answeredId, now, isContinuing: false },
  WATCH,
  ...continueLater(decision),
]

/** What needs the user's attention stays until they continue. */
const continueLater = ({ how }: Decision) =>
  ['agreed', 'proposed', 'refused', 'withdrawn'].includes(how)
    ? [{ type: 'delayContinue', how } as const]
    : []

/** Whether the process was started again and still determines whether the request was carried out. */
const isLookedUp = ({ vault, prompt, decided, waiting }: Situation) =>
  vault.step === 'unlocked' && prompt === undefined && decided === undefined && waiting > 0

/** Outcomes in this window after which another one may have carried out the request, or the page withdrawn it. */
const UNCERTAIN: readonly Decision['how'][] = ['refused', 'unknown']

const proceed = (state: Extract<State, { step: 'decided' }>): Step =>
  state.now === undefined ? [{ ...state, isContinuing: true }] : showNext(state.now, state.step)

function answer(prompt: ApprovalPrompt, result: PromptAnswer): Step {
  const [state, ...commands] = outcome(decisionOf(prompt, result), prompt.id, undefined)
  return [state, { type: 'answer', promptId: prompt.id, result }, ...commands]
}

const stop = (_: State, { failure }: { failure: Failure }): Step => [{ step: 'stopped', failure }]

export const deviceWallet = flow<State, Event, Command, null>({
  name: 'device-wallet',
  begin: () => [{ step: 'loading' }, WATCH],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    loading: {
      changed: ({ step }, { now }) => show(now, step),
      refused: stop,
    },
    stopped: {
      retried: () => [{ step: 'loading' }, WATCH],
    },
    onboarding: {
      changed: (state, { now }) =>
        now.vault.step === 'empty' ? [{ ...state, prompt: now.prompt }] : show(now, state.step),
      refused: stop,
    },
    locked: {
      changed(state, { now }) {
        if (state.prompt !== undefined && state.prompt.id !== now.prompt?.id) {
          return showEnd(state.prompt, now, state.step)
        }
        return now.vault.step === 'locked'
          ? [{ ...state, vault: now.vault, prompt: now.prompt, waiting: now.waiting }]
          : show(now, state.step)
      },
      rejected: (state) => (state.prompt === undefined ? [state] : answer(state.prompt, undefined)),
      refused: stop,
    },
    approving: {
      changed(state, { now }) {
        const { vault, prompt, waiting } = now
        if (vault.step === 'empty') return show(now, state.step)
        if (prompt?.id === state.prompt.id) return [{ ...state, waiting: prompt.waiting, vault }]
        return isLookedUp(now)
          ? [{ ...state, waiting, vault }]
          : showEnd(state.prompt, now, state.step)
      },
      answered: (state, { promptId, result }) =>
        promptId === state.prompt.id ? answer(state.prompt, result) : [state],
    },
    decided: {
      changed(state, { now }) {
        const { prompt, decided } = now
        if (prompt?.id === state.answeredId) return [state]
        const isCorrected = state.now === undefined && UNCERTAIN.includes(state.decision.how)
        if (isCorrected && decided !== undefined && decided.how !== state.decision.how) {
          return [
            { ...state, decision: decided, now, isContinuing: false },
            ...continueLater(decided),
          ]
        }
        return state.isContinuing ? showNext(now, state.step) : [{ ...state, now }]
      },
      continued: proceed,
      delayPassed: (state, { how }) => (how === state.decision.how ? proceed(state) : [state]),
      refused: stop,
    },
    home: {
      changed: (state, { now }) =>
        now.vault.step === 'unlocked' && now.prompt === undefined
          ? [{ ...state, vault: now.vault }]
          : show(now, state.step),
      refused: stop,
    },
  },
})
