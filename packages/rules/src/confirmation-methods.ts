import type { ConfirmationProof, SecurityOverview } from '@portico/contracts/account-security'
import type { ConfirmationPurpose } from './factor-age.ts'

/** How a signed-in user confirms their identity. */
export type ConfirmationMethod = ConfirmationProof

/**
 * The user's confirmation methods that the server accepts now, the most convenient first: users who signed in with a passkey
 * start with it, all others with the password. A passkey requires browser support.
 */
export function confirmationMethods(
  { confirmWith, sessions }: Pick<SecurityOverview, 'confirmWith' | 'sessions'>,
  browser: { readonly passkeys: boolean },
  purpose: ConfirmationPurpose = 'change',
): readonly ConfirmationMethod[] {
  const signedInByPasskey = sessions.some(({ current, method }) => current && method === 'passkey')
  const order = signedInByPasskey ? PASSKEY_FIRST : PASSWORD_FIRST
  return order.filter(
    (method) => confirmWith[purpose].includes(method) && (method !== 'passkey' || browser.passkeys),
  )
}

const PASSWORD_FIRST: readonly ConfirmationMethod[] = ['password', 'passkey', 'totp', 'passcode']
const PASSKEY_FIRST: readonly ConfirmationMethod[] = ['passkey', 'password', 'totp', 'passcode']
