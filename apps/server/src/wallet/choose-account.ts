import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import { type Choice, type OpenSession, type Sessions, sameChoice } from '../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../stores.ts'
import type { Memberships } from './organization/memberships.ts'

/**
 * Chooses the account for which a session acts: a wallet that the identity has proven to own, and a group only if that
 * wallet may sign for it (§6).
 */
export function accountChoice(deps: {
  readonly stores: TransactionalStores<'accounts' | 'audit' | 'sessions' | 'wallets'>
  readonly sessions: Sessions
  readonly memberships: Pick<Memberships, 'refresh'>
  readonly clock: Clock
}) {
  const { stores, sessions, memberships, clock } = deps
  return async (
    choice: Choice,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<{ jwt: string }> => {
    const { groupPolicyAddress } = choice
    if (groupPolicyAddress !== undefined) await memberships.refresh(groupPolicyAddress)
    if (sameChoice(session.chosen, choice)) {
      await assertAuthorized(stores, session.identityId, choice)
      return { jwt: await sessions.choose(stores, session, choice) }
    }
    const jwt = await stores.atomically(async (transaction) => {
      // A membership that ends in the meantime ends after this choice commits, and is then removed from the session.
      if (groupPolicyAddress !== undefined) {
        await transaction.accounts.lockAuthorization(choice.walletAddress, groupPolicyAddress)
      }
      await assertAuthorized(transaction, session.identityId, choice)
      const token = await sessions.choose(transaction, session, choice)
      await transaction.audit.record(
        'account-chosen',
        { identityId: session.identityId, at: clock() },
        visitor,
      )
      return token
    })
    return { jwt }
  }
}

/**
 * Refuses an account that the identity is not authorized for.
 *
 * @throws Refusal - `wallet-not-verified`, `wallet-type-not-supported`, `account-not-authorized`
 */
export async function assertAuthorized(
  { wallets, accounts }: Pick<Stores, 'wallets' | 'accounts'>,
  identityId: string,
  { walletAddress, groupPolicyAddress }: Choice,
): Promise<void> {
  const wallet = await wallets.find(identityId, walletAddress)
  // The response must not reveal whether an unknown wallet exists or belongs to another identity.
  if (wallet === undefined || wallet.convertedAt !== null) throw new Refusal('wallet-not-verified')
  if (wallet.type === 'PROVENANCE') throw new Refusal('wallet-type-not-supported')
  if (wallet.verifiedAt === null) throw new Refusal('wallet-not-verified')
  if (groupPolicyAddress === undefined) return
  const account = await accounts.findAuthorized(walletAddress, groupPolicyAddress)
  // For RBAC and Shared accounts the wallet signs only with its own address (§6).
  if (account?.type !== 'Group') throw new Refusal('account-not-authorized')
}
