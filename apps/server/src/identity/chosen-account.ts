import { GROUP_POLICY_ADDRESS_HEADER, WALLET_ADDRESS_HEADER } from '@portico/contracts/wallet'
import type { Visitor } from '../http/visitor.ts'
import type { OpenSession } from '../sessions/sessions.ts'

/** Sets the response headers that name the account the session acts as (§3). */
export function setAccountHeaders({ chosen }: OpenSession, visitor: Visitor): void {
  if (chosen === undefined) return
  visitor.tell(WALLET_ADDRESS_HEADER, chosen.walletAddress)
  if (chosen.groupPolicyAddress === undefined) return
  visitor.tell(GROUP_POLICY_ADDRESS_HEADER, chosen.groupPolicyAddress)
}
