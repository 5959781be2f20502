import type { SecurityOverview } from '@portico/contracts/account-security'

/** How somebody who is signed in confirms that it is still them. */
export type ConfirmationMethod = 'password' | 'passkey' | 'totp' | 'passcode'

/**
 * The ways somebody has, the handiest first: what they signed in with is at hand, so who came with a passkey is asked for
 * that and anybody else for the password. A passkey counts only where the browser has any; a mailed code is everybody's.
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
