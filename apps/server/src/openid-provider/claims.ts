import type { OpenSessionRow } from '../sessions/sessions.ts'

/** The claims about a session's user. */
export function claimsOf(
  session: Pick<
    OpenSessionRow,
    'identityId' | 'email' | 'organizationCode' | 'walletAddress' | 'groupPolicyAddress'
  >,
): Record<string, unknown> {
  const { walletAddress, groupPolicyAddress } = session
  return {
    sub: session.identityId,
    email: session.email,
    // A registration proves the address, or the organization's identity provider vouches for it.
    email_verified: true,
    organization: session.organizationCode,
    ...(walletAddress !== null && { wallet_address: walletAddress }),
    ...(groupPolicyAddress !== null && { group_policy_address: groupPolicyAddress }),
  }
}
