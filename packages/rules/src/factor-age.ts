/**
 * Decides which factors can confirm a session. An attacker with a stolen session may have added the newest ones, so a factor must
 * be older than the session, and for payments it must have existed for a while, in which its owner was notified by mail.
 */
import { NEW_FACTOR_WAIT_MS } from '@portico/contracts/limits'

/** When and where a factor was added. */
export interface FactorAge {
  /** Null for factors from before this was stored, which count as old, and for an address that never changed. */
  readonly addedAt: number | null
  /** The session that added it. */
  readonly addedIn: string | null
  /** `login` if the login asked for it without another proof. */
  readonly provedBy?: string | null | undefined
}

/** What is confirmed: an account change or the unlocking of the wallet, or a payment. */
export type ConfirmationPurpose = 'change' | 'payment'

export function canConfirm(
  { addedAt, addedIn, provedBy = null }: FactorAge,
  {
    session,
    purpose,
    at,
  }: {
    readonly session: { readonly id: string; readonly createdAt: number }
    readonly purpose: ConfirmationPurpose
    readonly at: number
  },
): boolean {
  // The clocks of two servers may differ, so the time alone does not suffice.
  if (addedIn === session.id) return false
  if (addedAt === null) return true
  const mustWait = purpose === 'payment' || provedBy === 'login'
  return addedAt < session.createdAt && (!mustWait || at - addedAt >= NEW_FACTOR_WAIT_MS)
}
