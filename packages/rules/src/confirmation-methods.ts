import type { SecurityOverview } from '@portico/contracts/account-security'

/** How a signed-in user confirms their identity. */
export type ConfirmationMethod = 'password' | 'passkey' | 'totp' | 'passcode'

/**
 * The user's confirmation methods, the most convenient first: users who signed in with a passkey start with
 * it, all others with the password. A passkey requires browser support; a mailed code is always available.
 */
export function confirmationMethods(
  user: Pick<SecurityOverview, 'hasPassword' | 'passkeys' | 'sessions' | 'totpEnabled'>,
  browser: { readonly passkeys: boolean },
): readonly ConfirmationMethod[] {
  const password: ConfirmationMethod[] = user.hasPassword ? ['password'] : []
  const passkey: ConfirmationMethod[] =
    browser.passkeys && user.passkeys.length > 0 ? ['passkey'] : []
  const others: ConfirmationMethod[] = user.totpEnabled ? ['totp', 'passcode'] : ['passcode']
  const signedInByPasskey = user.sessions.some(
    ({ current, method }) => current && method === 'passkey',
  )
  return signedInByPasskey
    ? [...passkey, ...password, ...others]
    : [...password, ...passkey, ...others]
}
