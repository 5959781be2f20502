import { ERROR_CATALOGUE, NOTICES } from '@portico/contracts/errors'

/** A call that failed, in the words a person reads; flows keep it, views show it. */
export interface Failure {
  /** What the alert says (§8): each string of the answer's errors list, else the error's own message. */
  readonly notices: readonly string[]
  /** What to do about it, where the notices do not say. */
  readonly advice?: string | undefined
  /** The server's own name for the refusal, or why there was none; decisions are made on it, never on the words. */
  readonly reason?: string | undefined
  /** Set where the person left off by themselves: said as news, not as a fault. */
  readonly calm?: true
}

/** What is said where a defect stopped us: never its details. */
export const UNEXPECTED: Failure = { notices: [ERROR_CATALOGUE['server-fault'].message] }

/** Said where the browser's window for a passkey was left without one; whether by hand or in time no browser tells. */
export const PASSKEY_LEFT: Failure = {
  notices: ['No passkey was used. Try again, or choose another way.'],
  calm: true,
}

/** What the owner of a locked account is told, after the right password or code only (§8). */
export const ACCOUNT_LOCKED: Failure = {
  notices: [NOTICES.accountLocked],
  reason: 'account-locked',
}
