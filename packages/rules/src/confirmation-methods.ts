import type { SecurityOverview } from '@portico/contracts/account-security'

/** How a signed-in user confirms their identity. */
export type ConfirmationMethod = 'password' | 'passkey' | 'totp' | 'passcode'

/**
 * The user's confirmation methods, the most convenient first: users who signed in with a passkey start with
 * it, all others with the password. A passkey requires browser support; a mailed code is always available.
 */
export function confirmationMethods(
  person: Pick<SecurityOverview, 'hasPassword' | 'passkeys' | 'sessions' | 'totpEnabled'>,
  browser: { readonly passkeys: boolean },
): readonly ConfirmationMethod[] {
  const typed: ConfirmationMethod[] = person.hasPassword ? ['password'] : []
  const keyed: ConfirmationMethod[] =
    browser.passkeys && person.passkeys.length > 0 ? ['passkey'] : []
  const others: ConfirmationMethod[] = person.totpEnabled ? ['totp', 'passcode'] : ['passcode']
  const cameKeyed = person.sessions.some(({ current, method }) => current && method === 'passkey')
  return cameKeyed ? [...keyed, ...typed, ...others] : [...typed, ...keyed, ...others]
}
