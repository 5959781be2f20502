import { flow, type Next } from '@portico/flow'
import type { LoginOutcome, TwoFactorOptions } from '@portico/rules/login-outcome'
import type { PartnerOnboardingStep } from '@portico/rules/partner-onboarding-step'
import { ACCOUNT_LOCKED, type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Arrival, Borrower } from './arrival.ts'

/** The identity a token belongs to. */
export interface TokenOwner {
  readonly uuid: string
  readonly email: string
  readonly passwordExpired: boolean
}

interface SignedInArrival extends Arrival {
  readonly jwt: string
}
interface IdentifiedArrival extends SignedInArrival {
  readonly email: string
}

/**
 * Partner onboarding (§4.7): a borrower referred by a partner enters an emailed code or follows its link, then chooses a
 * password.
 */
export type State =
  | ({ step: 'arriving' } & Arrival)
  /** The browser has another user's session, which must not be ended without asking. */
  | ({ step: 'otherSession'; email: string } & Arrival)
  | ({ step: 'endingSession' } & Arrival)
  | ({
      step: 'confirming'
      loginUuid: string
      code: string
      busy: boolean
      failure?: Failure
    } & Arrival)
  | ({ step: 'verifying' } & Arrival)
  | ({ step: 'sending' } & Arrival)
  | ({ step: 'code'; loginUuid: string; justSent: boolean } & Arrival)
  | ({ step: 'secondFactor'; options: TwoFactorOptions } & Arrival)
  | ({ step: 'checking' } & SignedInArrival)
  | ({ step: 'password' } & IdentifiedArrival)
  | ({ step: 'startingSession' } & IdentifiedArrival)
  | ({ step: 'stopped'; failure: Failure } & Arrival)
  | { step: 'redirecting'; to: string }
  | { step: 'leaving' }

export type Event =
  | { type: 'sessionFound'; jwt: string; owner: TokenOwner }
  | { type: 'linkOpened'; loginUuid: string; code: string }
  | { type: 'nothingFound' }
  | { type: 'replacementConfirmed' }
  | { type: 'sessionKept' }
  | { type: 'sessionEnded' }
  | { type: 'continued' }
  | { type: 'verified'; next: PartnerOnboardingStep }
  | { type: 'codeSent'; loginUuid: string }
  | { type: 'codeResent'; loginUuid: string }
  | { type: 'loginRedirected'; to: string }
  | { type: 'codeRedeemed'; outcome: LoginOutcome }
  | { type: 'codeClosed' }
  | { type: 'secondFactorRedeemed'; jwt: string }
  | { type: 'secondFactorClosed' }
  | { type: 'identityRead'; owner: TokenOwner }
  | { type: 'identityUnavailable' }
  | { type: 'passwordSet' }
  | { type: 'retried' }
  | { type: 'refused'; failure: Failure }

export type Command =
  | { type: 'findSession'; borrower: Borrower; loginUuid: string | undefined }
  | { type: 'logOut' }
  | { type: 'verify'; borrower: Borrower; loginUuid: string | undefined }
  | { type: 'sendToken'; email: string }
  | { type: 'sendContinueEmail'; borrower: Borrower }
  | { type: 'redeem'; loginUuid: string; code: string }
  | { type: 'storeJwt'; jwt: string }
  | { type: 'readIdentity'; jwt: string }
  | { type: 'updateAddress'; loginUuid: string | undefined; step: 1 | 2 }
  | { type: 'trackRegistration' }
  | { type: 'goToLogin' }
  | { type: 'goToDashboard' }
  | { type: 'leave'; to: string }

export type Input = Arrival

const arrival = ({ borrower, loginUuid }: Arrival): Arrival => ({ borrower, loginUuid })

const verify = ({ borrower, loginUuid }: Arrival): Next<State, Command> => [
  { step: 'verifying', borrower, loginUuid },
  { type: 'verify', borrower, loginUuid },
]

/** Sends a code to the email address; if only the identity is known, the server looks up the address. */
function send(state: Arrival, by: 'sendToken' | 'sendContinueEmail'): Next<State, Command> {
  const { email } = state.borrower
  const command: Command =
    by === 'sendToken' && email !== undefined
      ? { type: 'sendToken', email }
      : { type: 'sendContinueEmail', borrower: state.borrower }
  return [{ step: 'sending', ...arrival(state) }, command]
}

function continueWith(state: Arrival, next: PartnerOnboardingStep): Next<State, Command> {
  switch (next) {
    case 'goToLogin':
      return [{ step: 'leaving' }, { type: 'goToLogin' }]
    case 'sendToken':
    case 'sendContinueEmail':
      return send(state, next)
    case 'enterCode':
      return state.loginUuid === undefined
        ? send(state, 'sendToken')
        : enterCode(state, state.loginUuid, false)
  }
}

const enterCode = (
  { borrower }: Arrival,
  loginUuid: string,
  justSent: boolean,
): Next<State, Command> => [
  { step: 'code', borrower, loginUuid, justSent },
  { type: 'updateAddress', loginUuid, step: 1 },
]

const stop = (state: Arrival, failure: Failure): Next<State, Command> => [
  { step: 'stopped', ...arrival(state), failure },
]

const redirect = (to: string): Next<State, Command> => [
  { step: 'redirecting', to },
  { type: 'leave', to },
]

function follow(state: Arrival, outcome: LoginOutcome): Next<State, Command> {
  switch (outcome.kind) {
    case 'locked':
      return stop(state, ACCOUNT_LOCKED)
    case 'redirected':
      return redirect(outcome.to)
    case 'twoFactor':
      return [{ step: 'secondFactor', ...arrival(state), options: outcome.options }]
    case 'signedIn':
      return signIn(state, outcome.jwt)
  }
}

/** A valid code stores the jwt and moves to step=2 (§4.7). */
const signIn = (state: Arrival, jwt: string): Next<State, Command> => [
  { step: 'checking', ...arrival(state), jwt },
  { type: 'storeJwt', jwt },
  { type: 'updateAddress', loginUuid: state.loginUuid, step: 2 },
  { type: 'readIdentity', jwt },
]

const FINAL_CODE_ERRORS = ['code-wrong', 'code-expired', 'code-used']

/** Whether submitting the same code again would fail in the same way. */
export function isCodeUnusable({ reason }: Failure): boolean {
  return reason !== undefined && FINAL_CODE_ERRORS.includes(reason)
}

/** A link can name one user and carry another user's code (login CSRF), so compare the token's owner with the borrower. */
function isDifferentUser({ email, identityUuid }: Borrower, owner: TokenOwner): boolean {
  return email === undefined ? owner.uuid !== identityUuid : owner.email !== email
}

const endSession = (state: Arrival): Next<State, Command> => [
  { step: 'endingSession', ...arrival(state) },
  { type: 'logOut' },
]

function admit(state: Arrival, jwt: string, owner: TokenOwner): Next<State, Command> {
  const identified = { ...arrival(state), jwt, email: owner.email }
  return owner.passwordExpired
    ? [
        { step: 'password', ...identified },
        { type: 'updateAddress', loginUuid: state.loginUuid, step: 2 },
      ]
    : [{ step: 'startingSession', ...identified }]
}

export const partnerOnboarding = flow<State, Event, Command, Input>({
  name: 'partner-onboarding',
  begin: ({ borrower, loginUuid }) => [
    { step: 'arriving', borrower, loginUuid },
    { type: 'findSession', borrower, loginUuid },
  ],
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    arriving: {
      // A partner's link must not end an existing session without the user's consent.
      sessionFound: (state, { jwt, owner }) =>
        isDifferentUser(state.borrower, owner)
          ? [
              { step: 'otherSession', ...arrival(state), email: owner.email },
              { type: 'updateAddress', loginUuid: state.loginUuid, step: 1 },
            ]
          : admit(state, jwt, owner),
      linkOpened: ({ borrower }, { loginUuid, code }) => [
        { step: 'confirming', borrower, loginUuid, code, busy: false },
        { type: 'updateAddress', loginUuid, step: 1 },
      ],
      nothingFound: verify,
      refused: refuse,
    },
    otherSession: {
      replacementConfirmed: endSession,
      sessionKept: () => [{ step: 'leaving' }, { type: 'goToDashboard' }],
    },
    endingSession: { sessionEnded: verify, refused: refuse },
    confirming: {
      continued: ({ borrower, loginUuid, code, busy }) =>
        busy
          ? [{ step: 'confirming', borrower, loginUuid, code, busy }]
          : [
              { step: 'confirming', borrower, loginUuid, code, busy: true },
              { type: 'redeem', loginUuid, code },
            ],
      codeRedeemed: (state, { outcome }) => follow(state, outcome),
      // A used, expired or wrong code cannot be retried. After any other failure, the link can be.
      refused: (state, { failure }) =>
        isCodeUnusable(failure) ? stop(state, failure) : [{ ...state, busy: false, failure }],
    },
    verifying: {
      verified: (state, { next }) => continueWith(state, next),
      refused: refuse,
    },
    sending: {
      codeSent: (state, { loginUuid }) => enterCode(state, loginUuid, true),
      loginRedirected: (_, { to }) => redirect(to),
      refused: refuse,
    },
    code: {
      codeResent: (state, { loginUuid }) => enterCode(state, loginUuid, true),
      codeRedeemed: (state, { outcome }) => follow(state, outcome),
      codeClosed: verify,
    },
    secondFactor: {
      secondFactorRedeemed: (state, { jwt }) => signIn(state, jwt),
      secondFactorClosed: verify,
      refused: refuse,
    },
    checking: {
      identityRead: (state, { owner }) =>
        isDifferentUser(state.borrower, owner) ? endSession(state) : admit(state, state.jwt, owner),
      // §8: ignored; the session start reads the identity again and reports the error.
      identityUnavailable: (state) => [
        { ...state, step: 'startingSession', email: state.borrower.email ?? '' },
      ],
      refused: refuse,
    },
    password: {
      passwordSet: (state) => [
        { ...state, step: 'startingSession' },
        { type: 'trackRegistration' },
      ],
    },
    startingSession: { refused: refuse },
    stopped: { retried: verify },
    redirecting: {},
    leaving: {},
  },
})

function refuse(state: Arrival, { failure }: { failure: Failure }): Next<State, Command> {
  return stop(state, failure)
}
