import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network } from '../secrets/wallet-key.ts'
import { lockSession, type OpenSession } from '../sessions/sessions.ts'
import type { TransactionalStores } from '../stores.ts'
import { addHostedAccount } from './hosted/hosted-accounts.ts'

/**
 * Converts a wallet of type PROVENANCE to a new hosted wallet of the same name and moves its authorizations, once and
 * in one transaction (§2.2). Requires proven ownership of the old wallet.
 */
export function walletConversion(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'hostedKeys'
    | 'identities'
    | 'organizationInvitations'
    | 'sessions'
    | 'wallets'
  >
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
}) {
  const { stores, vault, clock, network } = deps
  return async (
    walletAddress: string,
    session: OpenSession,
    visitor: Visitor,
  ): Promise<{ address: string }> => {
    const { identityId } = session
    const wallet = await stores.wallets.find(identityId, walletAddress)
    if (wallet?.type !== 'PROVENANCE' || wallet.verifiedAt === null) {
      throw new Refusal('wallet-not-convertible')
    }
    const key = await makeWalletKey(vault, network)
    const { address } = key
    const at = clock()
    await stores.atomically(async (transaction) => {
      await lockSession(transaction, session, at)
      const old = await transaction.wallets.updateConverted(identityId, walletAddress, at)
      if (old === undefined) throw new Refusal('wallet-not-convertible')
      await addHostedAccount(transaction, { key, name: old.name, identityId, at })
      await transaction.wallets.update(identityId, address, { defaultAt: old.defaultAt })
      await transaction.accounts.updateWallet(walletAddress, address)
      await transaction.organizationInvitations.updateWallet(walletAddress, address)
      await transaction.sessions.updateWallet(identityId, walletAddress, address)
      await transaction.audit.record('wallet-converted', { identityId, at }, visitor)
    })
    return { address }
  }
}
