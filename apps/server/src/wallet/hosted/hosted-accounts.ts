/** Hosted accounts. The server generates their keys and stores them encrypted; the creator is the verified owner. */
import { Refusal } from '@portico/contracts/errors'
import type { HostedAccount } from '@portico/contracts/hosted-wallet'
import { MAX_WALLETS } from '@portico/contracts/limits'
import { KeyError } from '@portico/keys/key-error'
import type { AuditKind } from '../../audit/audit-events.ts'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { makeWalletKey, type Network, type WrappedWalletKey } from '../../secrets/wallet-key.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { Memberships } from '../organization/memberships.ts'

interface NewAccount {
  readonly name: string
  readonly default?: boolean | undefined
}

/** Creates, restores, lists and renames hosted accounts. */
export function hostedAccounts(deps: {
  readonly stores: TransactionalStores<
    'accounts' | 'audit' | 'hostedKeys' | 'identities' | 'sessions' | 'wallets'
  >
  readonly memberships: Pick<Memberships, 'refreshIdentity'>
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
}) {
  const { stores, memberships, vault, clock, network } = deps

  async function addAccount(
    key: WrappedWalletKey,
    account: NewAccount,
    context: { session: OpenSession; visitor: Visitor; kind: AuditKind },
  ): Promise<{ address: string }> {
    const { identityId } = context.session
    const at = clock()
    const name = requireName(account.name)
    await stores.atomically(async (transaction) => {
      await lockSession(transaction, context.session, at)
      await addHostedAccount(transaction, { key, name, identityId, at })
      if (account.default === true) {
        await transaction.wallets.updateDefault(identityId, key.address, at)
      }
      await transaction.audit.record(context.kind, { identityId, at }, context.visitor)
    })
    return { address: key.address }
  }

  return {
    async create(account: NewAccount, session: OpenSession, visitor: Visitor) {
      requireName(account.name)
      const key = await makeWalletKey(vault, network)
      return addAccount(key, account, { session, visitor, kind: 'hosted-account-made' })
    },

    async restore(
      { words, ...account }: NewAccount & { readonly words: string },
      session: OpenSession,
      visitor: Visitor,
    ) {
      requireName(account.name)
      const key = await keyFromWords(words)
      return addAccount(key, account, { session, visitor, kind: 'hosted-account-restored' })
    },

    async list({ identityId }: OpenSession): Promise<HostedAccount[]> {
      await memberships.refreshIdentity(identityId)
      const [wallets, keys, accounts] = await Promise.all([
        stores.wallets.listByIdentity(identityId),
        stores.hostedKeys.listByIdentity(identityId),
        stores.accounts.listByIdentity(identityId),
      ])
      const publicKeys = new Map(keys.map(({ address, publicKey }) => [address, publicKey]))
      return wallets.flatMap(({ address, name, verifiedAt }) => {
        const publicKey = publicKeys.get(address)
        if (publicKey === undefined) return []
        const groups = accounts
          .filter((account) => account.walletAddress === address && account.type === 'Group')
          .map((group) => ({ name: group.name, address: group.address }))
        return [{ name, address, publicKey, verified: verifiedAt !== null, groups }]
      })
    },

    async rename(
      { address, name }: { readonly address: string; readonly name: string },
      { identityId }: OpenSession,
    ): Promise<void> {
      const trimmed = requireName(name)
      const isHosted = (await stores.hostedKeys.find(address)) !== undefined
      if (!isHosted || !(await stores.wallets.update(identityId, address, { name: trimmed }))) {
        throw new Refusal('account-not-authorized')
      }
    },
  }

  async function keyFromWords(words: string): Promise<WrappedWalletKey> {
    try {
      return await makeWalletKey(vault, network, words.trim().toLowerCase().split(/\s+/).join(' '))
    } catch (error) {
      if (error instanceof KeyError) throw new Refusal('recovery-words-invalid')
      throw error
    }
  }
}

/**
 * Adds a hosted account to an identity's list as verified. The caller must hold the identity's lock, because wallets
 * are counted.
 */
export async function addHostedAccount(
  { wallets, hostedKeys }: Pick<Stores, 'wallets' | 'hostedKeys'>,
  account: { key: WrappedWalletKey; name: string; identityId: string; at: number },
): Promise<void> {
  const { key, name, identityId, at } = account
  const { address } = key
  const existing = await wallets.find(identityId, address)
  if (existing?.convertedAt != null) throw new Refusal('wallet-already-attached')
  if (!existing && (await wallets.listByIdentity(identityId)).length >= MAX_WALLETS) {
    throw new Refusal('too-many-accounts')
  }
  if (!(await wallets.insertOwner(address, identityId, at)))
    throw new Refusal('wallet-already-attached')
  await hostedKeys.insert({
    address,
    publicKey: key.publicKey,
    wrapped: key.wrapped,
    createdAt: at,
  })
  const isNew = await wallets.insert({
    identityId,
    address,
    name,
    type: 'FIGURE',
    defaultAt: null,
    convertedAt: null,
    createdAt: at,
  })
  if (!isNew) await wallets.update(identityId, address, { name, type: 'FIGURE' })
}

/** §5 Wallet account name: required. */
function requireName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Refusal('account-name-required')
  return name
}
