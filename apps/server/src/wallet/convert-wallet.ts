import { Refusal } from '@portico/contracts/errors'
import type { Clock } from '../clock.ts'
import type { Visitor } from '../http/visitor.ts'
import type { Vault } from '../secrets/vault.ts'
import { makeWalletKey, type Network } from '../secrets/wallet-key.ts'
import { lockSession, type OpenSession } from '../sessions/sessions.ts'
import type { AllStores } from '../stores.ts'
import { keepHostedAccount } from './hosted/hosted-accounts.ts'

/**
 * Moves what an old wallet of type PROVENANCE signs for to a new hosted wallet of the same name, once and all together
 * (§2.2). Only whoever has proven to hold the old wallet can: its accounts go with it.
 */
export function walletConversion(deps: {
  readonly stores: AllStores
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
    if (wallet?.type !== 'PROVENANCE' || wallet.verified_at === null) {
      throw new Refusal('wallet-not-convertible')
    }
    const key = await makeWalletKey(vault, network)
    const { address } = key
    const at = clock()
    await stores.atomically(async (together) => {
      await lockSession(together, session, at)
      const old = await together.wallets.convert(identityId, walletAddress, at)
      if (old === undefined) throw new Refusal('wallet-not-convertible')
      await keepHostedAccount(together, { key, name: old.name, identityId, at })
      await together.wallets.change(identityId, address, { default_at: old.default_at })
      await together.accounts.move(walletAddress, address)
      await together.sessions.replaceWallet(identityId, walletAddress, address)
      await together.audit.add({
        kind: 'wallet-converted',
        at,
        identityId,
        organizationCode: visitor.organization.orgCode,
        network: visitor.network,
      })
    })
    return { address }
  }
}
