import type { Failure } from '@portico/shell/failure'

const SESSION_GONE = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Whether the wallet is locked: by the person, or because nobody used it. */
export function isLocked({ reason }: Failure): boolean {
  return reason === 'wallet-locked'
}

/** Whether somebody has to log in before anything goes on. */
export function isSessionGone({ reason = '' }: Failure): boolean {
  return SESSION_GONE.includes(reason)
}
