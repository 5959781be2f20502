import type { OpenSessionRow } from '../sessions/sessions.ts'

/** The claims about a session's user. */
export function claimsOf(
  session: Pick<
    OpenSessionRow,
    | 'identityId'
    | 'email'
    | 'emailVerifiedAt'
    | 'organizationCode'
    | 'walletAddress'
    | 'groupPolicyAddress'
  >,
): Record<string, unknown> {
  const { walletAddress, groupPolicyAddress } = session
  return {
    sub: session.identityId,
    email: session.email,
    // Neither a provider nor an import can verify an address: only a code mailed to it.
    email_verified: session.emailVerifiedAt !== null,
    organization: session.organizationCode,
    ...(walletAddress !== null && { wallet_address: walletAddress }),
    ...(groupPolicyAddress !== null && { group_policy_address: groupPolicyAddress }),
  }
}
