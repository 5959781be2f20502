import type { Environment } from './environment.ts'

/** How long 'Login Redirecting' is shown before the page navigates. */
const REDIRECT_NOTICE_MS = 1200

/** Navigates to another login after the notice has been shown long enough to read. */
export async function leaveAfterNotice(
  { navigate, wait }: Pick<Environment, 'navigate' | 'wait'>,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  await wait(REDIRECT_NOTICE_MS, signal)
  navigate(to)
}
