import type { Environment } from './environment.ts'

/** How long 'Login Redirecting' can be read before the page changes under the reader. */
const REDIRECT_NOTICE_MS = 1200

/** Leaves for another login, after the person could read that this happens. */
export async function leaveAfterNotice(
  { navigate, wait }: Pick<Environment, 'navigate' | 'wait'>,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  await wait(REDIRECT_NOTICE_MS, signal)
  navigate(to)
}
