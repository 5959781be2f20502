import { emailAddress } from '@portico/contracts/email-address'
import type { PageSession } from '@portico/contracts/page-data'
import { emailParameter } from './email-parameter.ts'
import { isNewUserFlow } from './login-page.ts'
import { redirectTarget } from './redirect-target.ts'

/** What the login page does when it opens (§4.4). */
export type LoginEntry =
  | { readonly kind: 'show' }
  | { readonly kind: 'logOutFirst' }
  | { readonly kind: 'continue' | 'openWallet'; readonly to: string }

/**
 * Decides what the login page does: without a session, or if the user must log in again, it is shown. With a session, a new-user flow or another user's e-mail
 * parameter logs out first; otherwise the user continues to the redirect target, unless a broker agent is heading to
 * a path starting with /portfolio.
 */
export function loginEntry(session: PageSession | null, query: URLSearchParams): LoginEntry {
  // The next login replaces the session, which another page's link must not end.
  if (session === null || query.get('prompt') === 'login') return { kind: 'show' }
  if (isNewUserFlow(query.get('flow')) || isDifferentUser(session, emailParameter(query))) {
    return { kind: 'logOutFirst' }
  }
  const to = redirectTarget(query.get('redirectUrl'))
  const stays = session.profileType === 'AGENT' && to.startsWith('/portfolio')
  if (stays) return { kind: 'show' }
  return { kind: query.get('walletconnect') === 'true' ? 'openWallet' : 'continue', to }
}

function isDifferentUser(session: PageSession, email: string): boolean {
  // An empty parameter names no one.
  return email.trim() !== '' && emailAddress(email) !== session.email
}
