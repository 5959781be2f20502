import { NOTICES } from '@portico/contracts/errors'
import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { SecurityQuestion } from '@portico/contracts/two-factor'
import { flow, type Next } from '@portico/flow'
import { recoveryQuestion } from '@portico/rules/recovery-question'
import type { SecondFactor, SecondFactors } from '@portico/rules/second-factor'
import { type Failure, PASSKEY_LEFT, UNEXPECTED } from '@portico/shell/failure'
import type { Place } from '../second-step.ts'

/** What the modal knows in every step. */
interface Given {
  readonly loginUuid: string
  readonly factors: SecondFactors
  /** When a code was sent to each alias: coming back to one whose code still lives sends no other. */
  readonly sentAt: Readonly<Record<string, number>>
  /** The question that was drawn, once: who goes Back and forth is not asked an easier one. */
  readonly asked?: SecurityQuestion | 'none' | undefined
}

/** Where another code stands; only an alias that is sent codes has one. */
type Resend = 'none' | 'sending' | 'resting' | 'ready'

/** The two-step modal (§4.5). */
export type State =
  | ({ step: 'selecting' } & Given)
  | ({
      step: 'entering'
      method: SecondFactor
      resend: Resend
      sentBefore: boolean
      busy: boolean
      failure?: Failure | undefined
    } & Given)
  | ({ step: 'answering'; busy: boolean; failure?: Failure | undefined } & Given)
  | { step: 'left'; result: Result }

/** What the page hears of it. */
export type Result =
  | { kind: 'redeemed'; jwt: string }
  | { kind: 'expired'; failure: Failure }
  | { kind: 'closed' }

/** What the modal hears; `at` is the time. */
export type Event =
  | { type: 'methodChosen'; method: SecondFactor; at: number }
  | { type: 'codeSent'; again: boolean }
  | { type: 'sendRefused'; failure: Failure }
  | { type: 'resendAsked'; at: number }
  | { type: 'rested' }
  | { type: 'codeGiven'; code: string; remember: boolean }
  | { type: 'passkeyAsked'; remember: boolean }
  | { type: 'passkeyLeft' }
  | { type: 'forgotten' }
  | { type: 'questionsRead'; questions: readonly SecurityQuestion[]; chance: number }
  | { type: 'answerGiven'; answer: string }
  | { type: 'redeemed'; jwt: string }
  | { type: 'refused'; failure: Failure }
  | { type: 'back'; at: number }
  | { type: 'closed' }
  | { type: 'broke' }

/** What the modal has done. */
export type Command =
  | { type: 'sendCode'; loginUuid: string; alias: string; again: boolean }
  | { type: 'rest' }
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
  | { type: 'handBack'; result: Result }

/** The methods that ask for something to be typed. */
type CodeKind = Exclude<SecondFactor['kind'], 'passkey'>

/** What the modal begins with; `at` is the time, `place` where somebody stood before the page was loaded anew. */
export type Input = {
  loginUuid: string
  factors: SecondFactors
  at: number
  place?: Place | undefined
}

type Entering = Extract<State, { step: 'entering' }>
type Answering = Extract<State, { step: 'answering' }>

const leave = (result: Result): Next<State, Command> => [
  { step: 'left', result },
  { type: 'handBack', result },
]

const given = ({ loginUuid, factors, sentAt, asked }: Given): Given => ({
  loginUuid,
  factors,
  sentAt,
  asked,
})

/** Enters a method's code. What is sent codes is sent one, unless the last one still lives; TOTP is sent none. */
function enter(before: Given, method: SecondFactor, at: number): Next<State, Command> {
  const entering = { step: 'entering', ...given(before), method, busy: false } as const
  if (!('alias' in method)) return [{ ...entering, resend: 'none', sentBefore: false }]
  const sentAt = before.sentAt[method.alias]
  if (sentAt !== undefined && at - sentAt < PASSCODE_LIFETIME_MS) {
    return [{ ...entering, resend: 'resting', sentBefore: true }, { type: 'rest' }]
  }
  return send({ ...entering, resend: 'ready', sentBefore: false }, { alias: method.alias, at })
}

function send(
  state: Entering,
  { alias, at, again = false }: { alias: string; at: number; again?: boolean },
): Next<State, Command> {
  return [
    { ...state, resend: 'sending', sentAt: { ...state.sentAt, [alias]: at } },
    { type: 'sendCode', loginUuid: state.loginUuid, alias, again },
  ]
}

/** Selecting where there is more than one method, else the one there is. */
function begin(before: Given, at: number): Next<State, Command> {
  const { methods } = before.factors
  const [only] = methods
  if (methods.length > 1) return [{ step: 'selecting', ...given(before) }]
  return only === undefined ? answer(before) : enter(before, only, at)
}

const nameOf = (method: SecondFactor): string => ('alias' in method ? method.alias : method.kind)

/** Where somebody stands. */
export function placeOf(state: Exclude<State, { step: 'left' }>): Place {
  const { step, sentAt, asked } = state
  return { step, sentAt, asked, ...(step === 'entering' ? { method: nameOf(state.method) } : {}) }
}

/** Comes back to where somebody stood, as far as it is still there. */
function comeBack(before: Given, place: Place, at: number): Next<State, Command> {
  if (place.step === 'answering') return answer(before)
  const { methods, further } = before.factors
  const method = [...methods, ...further].find((each) => nameOf(each) === place.method)
  return method === undefined ? begin(before, at) : enter(before, method, at)
}

/** Asks a recovery question; they are read once. */
function answer(before: Given): Next<State, Command> {
  const state: State = { step: 'answering', ...given(before), busy: false }
  return before.asked === undefined
    ? [state, { type: 'readQuestions', loginUuid: before.loginUuid }]
    : [state]
}

/** A refusal is shown where the person is; an expired first factor closes the modal (§8). */
function refuse(state: Entering | Answering, failure: Failure): Next<State, Command> {
  if (failure.reason === 'first-factor-expired') return leave({ kind: 'expired', failure })
  return [{ ...state, busy: false, failure }]
}

/** Whether there is something to go back to: with exactly one method there is nothing to select. */
export function hasBack({ factors, method }: Pick<Entering, 'factors' | 'method'>): boolean {
  return factors.methods.length > 1 || !factors.methods.includes(method)
}

const choose = (
  state: Given,
  { method, at }: { method: SecondFactor; at: number },
): Next<State, Command> => enter(state, method, at)

/** The table of the modal. */
export const twoFactor = flow<State, Event, Command, Input>({
  name: 'two-factor',
  begin: ({ at, place, loginUuid, factors }) =>
    place === undefined
      ? begin({ loginUuid, factors, sentAt: {} }, at)
      : comeBack({ loginUuid, factors, sentAt: place.sentAt, asked: place.asked }, place, at),
  failed: { type: 'broke' },
  on: {
    selecting: {
      methodChosen: choose,
      forgotten: (state) => answer(state),
      closed: () => leave({ kind: 'closed' }),
    },
    entering: {
      methodChosen: choose,
      codeSent: (state, { again }) => [
        { ...state, resend: 'resting', sentBefore: false, failure: undefined },
        { type: 'rest' },
        ...(again ? [{ type: 'notify', notice: NOTICES.codeResent } as const] : []),
      ],
      sendRefused: (state, { failure }) => refuse(unsent(state), failure),
      resendAsked: (state, { at }) =>
        state.resend === 'ready' && 'alias' in state.method
          ? send(state, { alias: state.method.alias, at, again: true })
          : [state],
      rested: (state) => [{ ...state, resend: 'ready' }],
      codeGiven: (state, { code, remember }) =>
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
      passkeyAsked: (state, { remember }) =>
        state.busy || state.method.kind !== 'passkey'
          ? [state]
          : [
              { ...state, busy: true, failure: undefined },
              { type: 'redeemPasskey', loginUuid: state.loginUuid, remember },
            ],
      passkeyLeft: (state) => [{ ...state, busy: false, failure: PASSKEY_LEFT }],
      redeemed: (_, { jwt }) => leave({ kind: 'redeemed', jwt }),
      refused: (state, { failure }) => refuse(state, failure),
      forgotten: (state) => answer(state),
      back: (state, { at }) => (hasBack(state) ? begin(state, at) : [state]),
      closed: () => leave({ kind: 'closed' }),
      broke: (state) => refuse(unsent(state), UNEXPECTED),
    },
    answering: {
      questionsRead: (state, { questions, chance }) => [
        { ...state, asked: recoveryQuestion(questions, chance) ?? 'none' },
      ],
      answerGiven: (state, { answer }) =>
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
      broke: (state) => refuse(state, UNEXPECTED),
    },
    left: {},
  },
})

/** A send that failed leaves no code to come back to, and may be tried again at once. */
function unsent(state: Entering): Entering {
  if (state.resend !== 'sending' || !('alias' in state.method)) return state
  const { [state.method.alias]: _, ...sentAt } = state.sentAt
  return { ...state, resend: 'ready', sentAt }
}
