/** Hosted accounts. The server generates their keys and stores them encrypted; the creator is the verified owner. */
import { Refusal } from '@portico/contracts/errors'
import type { HostedAccount } from '@portico/contracts/hosted-wallet'
import { FRESH_SIGN_IN_MS, MAX_WALLETS } from '@portico/contracts/limits'
import { KeyError } from '@portico/keys/key-error'
import type { AuditKind } from '../../audit/audit-events.ts'
import { type Clock, isRecent } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { notifyOwner } from '../../mail/notify-owner.ts'
import type { Outbox } from '../../mail/outbox.ts'
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
    | 'accounts'
    | 'audit'
    | 'hostedKeys'
    | 'identities'
    | 'messages'
    | 'providers'
    | 'sessions'
    | 'wallets'
  >
  readonly outbox: Outbox
  readonly memberships: Pick<Memberships, 'refreshIdentity'>
  readonly vault: Vault
  readonly clock: Clock
  readonly network: Network
}) {
  const { stores, outbox, memberships, vault, clock, network } = deps

  async function addAccount(
    key: WrappedWalletKey,
    account: NewAccount,
    context: { session: OpenSession; visitor: Visitor; kind: AuditKind },
    notify?: (transaction: Pick<Stores, 'messages' | 'providers'>, at: number) => Promise<void>,
  ): Promise<{ address: string }> {
    const { identityId } = context.session
    const at = clock()
    const name = requireName(account.name)
    await stores.atomically(async (transaction) => {
      await lockSession(transaction, context.session, at)
      await assertNameUnused(transaction, { identityId, address: key.address, name })
      await addHostedAccount(transaction, { key, name, identityId, at })
      if (account.default === true) {
        await transaction.wallets.updateDefault(identityId, key.address, at)
      }
      await notify?.(transaction, at)
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

    /**
     * Restores an account from its words. It needs a confirmation and is mailed to the owner, because the sender of the words holds
     * the key: a stolen session could otherwise put an attacker's key among the owner's accounts.
     */
    async restore(
      { words, ...account }: NewAccount & { readonly words: string },
      session: OpenSession,
      visitor: Visitor,
    ) {
      requireName(account.name)
      const { confirmedAt, confirmedBy } = session
      if (confirmedBy === undefined || !isRecent(confirmedAt, FRESH_SIGN_IN_MS, clock())) {
        throw new Refusal('confirmation-needed')
      }
      const key = await keyFromWords(words)
      const context = { session, visitor, kind: 'hosted-account-restored' } as const
      return addAccount(key, account, context, async (transaction, at) => {
        const change = `the wallet account ${key.address} was restored from recovery words.`
        await notifyOwner(transaction, { outbox, session, visitor, at, change })
      })
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
      session: OpenSession,
    ): Promise<void> {
      const { identityId } = session
      const trimmed = requireName(name)
      await stores.atomically(async (transaction) => {
        await lockSession(transaction, session, clock())
        const isHosted = (await transaction.hostedKeys.find(address)) !== undefined
        if (!isHosted || (await transaction.wallets.find(identityId, address)) === undefined) {
          throw new Refusal('account-not-authorized')
        }
        await assertNameUnused(transaction, { identityId, address, name: trimmed })
        if (!(await transaction.wallets.update(identityId, address, { name: trimmed }))) {
          throw new Refusal('account-not-authorized')
        }
      })
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

/**
 * Asserts that no other account of the person has the name, in any case and spacing: two accounts of one name cannot be told apart.
 * The caller must hold the identity's lock.
 *
 * @throws Refusal - `account-name-used`
 */
async function assertNameUnused(
  { wallets }: Pick<Stores, 'wallets'>,
  { identityId, address, name }: { identityId: string; address: string; name: string },
): Promise<void> {
  const others = (await wallets.listByIdentity(identityId)).filter(
    (wallet) => wallet.address !== address,
  )
  if (others.some((other) => comparable(other.name) === comparable(name))) {
    throw new Refusal('account-name-used')
  }
}

const comparable = (name: string) =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** §5 Wallet account name: required. */
function requireName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Refusal('account-name-required')
  return name
}
