import type { Failure } from '@portico/shell/failure'

const SESSION_GONE = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Whether the wallet is locked, by the user or after inactivity. */
export function isLocked({ reason }: Failure): boolean {
  return reason === 'wallet-locked'
}

/** Whether the user has to log in again. */
export function isSessionGone({ reason = '' }: Failure): boolean {
  return SESSION_GONE.includes(reason)
}
