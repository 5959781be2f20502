import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { NOTICES } from '@portico/contracts/notices'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { flow, type Next } from '@portico/flow'
import { recoveryQuestion } from '@portico/rules/recovery-question'
import type { SecondFactor, SecondFactors } from '@portico/rules/second-factor'
import { type Failure, PASSKEY_CANCELED, UNEXPECTED } from '@portico/shell/failure'
import type { Position } from '../second-step.ts'

/** The data shared by all steps. */
interface TwoFactorContext {
  readonly loginUuid: string
  readonly factors: SecondFactors
  /** When a code was last sent to each alias; while it is valid, returning to the alias does not send another. */
  readonly sentAt: Readonly<Record<string, number>>
  /** The recovery question, drawn once so that going back and forth cannot get an easier one. */
  readonly asked?: SecurityQuestion | 'none' | undefined
}

/** The state of the resend link, which only methods with an alias have. */
type Resend = 'none' | 'sending' | 'coolingDown' | 'ready'

/** The two-step modal (§4.5). */
export type State =
  | ({
      step: 'selecting'
      /** The method that the user came back from. */
      left?: SecondFactor
    } & TwoFactorContext)
  | ({
      step: 'entering'
      method: SecondFactor
      resend: Resend
      sentBefore: boolean
      busy: boolean
      failure?: Failure | undefined
    } & TwoFactorContext)
  | ({ step: 'answering'; busy: boolean; failure?: Failure | undefined } & TwoFactorContext)
  | { step: 'left'; result: Result }

export type Result =
  | { kind: 'redeemed'; jwt: string }
  | { kind: 'expired'; failure: Failure }
  | { kind: 'closed' }

/** `at` is the current time. */
export type Event =
  | { type: 'methodChosen'; method: SecondFactor; at: number }
  | { type: 'codeSent'; again: boolean }
  | { type: 'sendRefused'; failure: Failure }
  | { type: 'resendRequested'; at: number }
  | { type: 'cooldownEnded' }
  | { type: 'codeSubmitted'; code: string; remember: boolean }
  | { type: 'passkeyRequested'; remember: boolean }
  | { type: 'passkeyCanceled' }
  | { type: 'forgotten' }
  | { type: 'questionsRead'; questions: readonly SecurityQuestion[]; random: number }
  | { type: 'answerSubmitted'; answer: string }
  | { type: 'redeemed'; jwt: string }
  | { type: 'refused'; failure: Failure }
  | { type: 'back'; at: number }
  | { type: 'closed' }
  | { type: 'serviceFailed' }

export type Command =
  | { type: 'sendCode'; loginUuid: string; alias: string; again: boolean }
  | { type: 'startCooldown' }
  | {
      type: 'redeemCode'
      loginUuid: string
      kind: CodeKind
      code: string
      remember: boolean
    }
  | { type: 'redeemPasskey'; loginUuid: string; remember: boolean }
  | { type: 'readQuestions'; loginUuid: string }
  | { type: 'redeemAnswer'; loginUuid: string; question: string; answer: string }
  | { type: 'notify'; notice: string }
  | { type: 'storePosition'; position: Position }
  | { type: 'returnResult'; result: Result }

/** The methods that require typing a code. */
type CodeKind = Exclude<SecondFactor['kind'], 'passkey'>

/** `at` is the current time; `position` is the position to restore after a reload. */
export type Input = {
  loginUuid: string
  factors: SecondFactors
  at: number
  position?: Position | undefined
}

type Entering = Extract<State, { step: 'entering' }>
type Answering = Extract<State, { step: 'answering' }>

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'returnResult', result },
]

const contextOf = ({ loginUuid, factors, sentAt, asked }: TwoFactorContext): TwoFactorContext => ({
  loginUuid,
  factors,
  sentAt,
  asked,
})

/** Stores the position reached, so that a reload returns to it. */
function withStoredPosition([state, ...commands]: Next<State, Command>): Next<State, Command> {
  return state.step === 'left'
    ? [state, ...commands]
    : [state, ...commands, { type: 'storePosition', position: positionOf(state) }]
}

/** Enters the step of a method. Email and phone get a new code, unless the last one is still valid. */
function enter(before: TwoFactorContext, method: SecondFactor, at: number): Next<State, Command> {
  const entering = { step: 'entering', ...contextOf(before), method, busy: false } as const
  if (!('alias' in method))
    return withStoredPosition([{ ...entering, resend: 'none', sentBefore: false }])
  const sentAt = before.sentAt[method.alias]
  if (sentAt !== undefined && at - sentAt < PASSCODE_LIFETIME_MS) {
    return withStoredPosition([
      { ...entering, resend: 'coolingDown', sentBefore: true },
      { type: 'startCooldown' },
    ])
  }
  return send({ ...entering, resend: 'ready', sentBefore: false }, { alias: method.alias, at })
}

function send(
  state: Entering,
  { alias, at, again = false }: { alias: string; at: number; again?: boolean },
): Next<State, Command> {
  return withStoredPosition([
    { ...state, resend: 'sending', sentAt: { ...state.sentAt, [alias]: at } },
    { type: 'sendCode', loginUuid: state.loginUuid, alias, again },
  ])
}

/** Starts with the selection if there are several methods, otherwise with the only one. */
function begin(before: TwoFactorContext, at: number, left?: SecondFactor): Next<State, Command> {
  const { methods } = before.factors
  const [only] = methods
  if (methods.length > 1) {
    const selecting = { step: 'selecting', ...contextOf(before) } as const
    return withStoredPosition([left === undefined ? selecting : { ...selecting, left }])
  }
  return only === undefined ? answer(before) : enter(before, only, at)
}

const nameOf = (method: SecondFactor): string => ('alias' in method ? method.alias : method.kind)

/** The position to store for a reload. */
export function positionOf(state: Exclude<State, { step: 'left' }>): Position {
  const { step, sentAt, asked } = state
  return { step, sentAt, asked, ...(step === 'entering' ? { method: nameOf(state.method) } : {}) }
}

/** Restores a position, or starts over if its method no longer exists. */
function restore(before: TwoFactorContext, position: Position, at: number): Next<State, Command> {
  if (position.step === 'answering') return answer(before)
  const { methods, additional } = before.factors
  const method = [...methods, ...additional].find((each) => nameOf(each) === position.method)
  return method === undefined ? begin(before, at) : enter(before, method, at)
}

/** Asks a recovery question; the questions are fetched once. */
function answer(before: TwoFactorContext): Next<State, Command> {
  const state: State = { step: 'answering', ...contextOf(before), busy: false }
  return withStoredPosition(
    before.asked === undefined
      ? [state, { type: 'readQuestions', loginUuid: before.loginUuid }]
      : [state],
  )
}

/** Shows the failure in the current step; an expired first factor closes the modal (§8). */
function refuse(state: Entering | Answering, failure: Failure): Next<State, Command> {
  if (failure.reason === 'first-factor-expired') return leave({ kind: 'expired', failure })
  return [{ ...state, busy: false, failure }]
}

/** Whether to show Back: with exactly one method there is no selection to go back to. */
export function hasBack({ factors, method }: Pick<Entering, 'factors' | 'method'>): boolean {
  return factors.methods.length > 1 || !factors.methods.includes(method)
}

const choose = (
  state: TwoFactorContext,
  { method, at }: { method: SecondFactor; at: number },
): Next<State, Command> => enter(state, method, at)

export const twoFactor = flow<State, Event, Command, Input>({
  name: 'two-factor',
  begin: ({ at, position, loginUuid, factors }) =>
    position === undefined
      ? begin({ loginUuid, factors, sentAt: {} }, at)
      : restore(
          { loginUuid, factors, sentAt: position.sentAt, asked: position.asked },
          position,
          at,
        ),
  failed: { type: 'serviceFailed' },
  on: {
    selecting: {
      methodChosen: choose,
      forgotten: (state) => answer(state),
      closed: () => leave({ kind: 'closed' }),
    },
    entering: {
      methodChosen: choose,
      codeSent: (state, { again }) => [
        { ...state, resend: 'coolingDown', sentBefore: false, failure: undefined },
        { type: 'startCooldown' },
        ...(again ? [{ type: 'notify', notice: NOTICES.codeResent } as const] : []),
      ],
      sendRefused: (state, { failure }) => withStoredPosition(refuse(unsent(state), failure)),
      resendRequested: (state, { at }) =>
        state.resend === 'ready' && 'alias' in state.method
          ? send(state, { alias: state.method.alias, at, again: true })
          : [state],
      cooldownEnded: (state) => [{ ...state, resend: 'ready' }],
      codeSubmitted: (state, { code, remember }) =>
        state.busy || state.method.kind === 'passkey'
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              {
                type: 'redeemCode',
                loginUuid: state.loginUuid,
                kind: state.method.kind,
                code,
                remember,
              },
            ],
      passkeyRequested: (state, { remember }) =>
        state.busy || state.method.kind !== 'passkey'
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'redeemPasskey', loginUuid: state.loginUuid, remember },
            ],
      passkeyCanceled: (state) => [{ ...state, busy: false, failure: PASSKEY_CANCELED }],
      redeemed: (_, { jwt }) => leave({ kind: 'redeemed', jwt }),
      refused: (state, { failure }) => refuse(state, failure),
      forgotten: (state) => answer(state),
      back: (state, { at }) => (hasBack(state) ? begin(state, at, state.method) : [state]),
      closed: () => leave({ kind: 'closed' }),
      serviceFailed: (state) => withStoredPosition(refuse(unsent(state), UNEXPECTED)),
    },
    answering: {
      questionsRead: (state, { questions, random }) =>
        withStoredPosition([{ ...state, asked: recoveryQuestion(questions, random) ?? 'none' }]),
      answerSubmitted: (state, { answer }) =>
        state.busy || state.asked === undefined || state.asked === 'none'
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              {
                type: 'redeemAnswer',
                loginUuid: state.loginUuid,
                question: state.asked.uuid,
                answer,
              },
            ],
      redeemed: (_, { jwt }) => leave({ kind: 'redeemed', jwt }),
      refused: (state, { failure }) => refuse(state, failure),
      back: (state, { at }) => (state.factors.methods.length > 0 ? begin(state, at) : [state]),
      closed: () => leave({ kind: 'closed' }),
      serviceFailed: (state) => refuse(state, UNEXPECTED),
    },
    left: {},
  },
})

/** After a failed send there is no valid code, so another can be requested at once. */
function unsent(state: Entering): Entering {
  if (state.resend !== 'sending' || !('alias' in state.method)) return state
  const { [state.method.alias]: _, ...sentAt } = state.sentAt
  return { ...state, resend: 'ready', sentAt }
}
