import type { Failure } from '@portico/shell/failure'

const SESSION_GONE = ['session-ended', 'unauthenticated', 'sign-in-too-old']

/** Whether somebody has to log in before anything goes on. */
export function isSessionGone({ reason = '' }: Failure): boolean {
  return SESSION_GONE.includes(reason)
}
