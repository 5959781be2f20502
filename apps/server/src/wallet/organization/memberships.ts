/**
 * Syncs organizations' accounts with their groups on the chain (§6). The chain decides who is a member, and a node does not
 * report changes, so an account is compared with its group whenever it is used. While the chain is unreachable, the last
 * known members count.
 */
import type { Chain } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import { MAX_WALLETS } from '@portico/contracts/limits'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import type { InviteMembers } from './invite-members.ts'

export interface Memberships {
  /**
   * Compares an account with its group unless that was done within `maximumAgeMs`. Settles within a few seconds even if the
   * chain does not respond. Returns whether the account was compared.
   */
  readonly refresh: (accountAddress: string, maximumAgeMs?: number) => Promise<boolean>
  /**
   * Compares an account with its group now, and returns why that was not possible. After a failure, the chain is asked again
   * only after a few seconds, so that calls do not all wait for a chain that does not respond.
   */
  readonly refreshNow: (accountAddress: string) => Promise<Refusal | undefined>
  /** Compares an identity's accounts, and those of groups that its wallets were added to. */
  readonly refreshIdentity: (identityId: string) => Promise<void>
  /** @throws Refusal - if the chain does not respond, or the group changes too often to be read */
  readonly readMembers: (accountAddress: string) => Promise<GroupMembers>
}

interface Comparison {
  readonly at: number
  readonly done: Promise<Refusal | undefined>
  failure: Refusal | undefined
}

/** A group's members at one of its versions. */
interface GroupMembers {
  readonly version: number
  readonly addresses: ReadonlySet<string>
}

/**
 * How many organizations of others a person can be in. They do not count toward the limit on organizations that they create.
 */
export const MAX_ADDED_MEMBERSHIPS = MAX_WALLETS / 2

/** How long a call waits for the chain. */
const WAIT_MS = 3000

/** How long a failed comparison decides for calls that need a current one. */
const RETRY_MS = 5000

/** How often members are reread if they change during the read. */
const MAX_READS = 3

/** How many accounts' last comparison times are cached. */
const MAX_COMPARED_ACCOUNTS = 10_000

export function openMemberships(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'counters'
    | 'identities'
    | 'messages'
    | 'organizationInvitations'
    | 'sessions'
    | 'wallets'
  >
  readonly inviteMembers: InviteMembers
  readonly chain: () => Pick<Chain, 'group' | 'groupsOfMember' | 'membersOfGroup' | 'policy'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'error'>
}): Memberships {
  const { stores, clock, log } = deps
  const compared = new Map<string, Comparison>()
  const comparing = new Set<Promise<unknown>>()

  async function findMembers(accountAddress: string): Promise<GroupMembers | undefined> {
    const chain = deps.chain()
    const { group_id: groupId } = await chain.policy(accountAddress)
    for (let read = 0; read < MAX_READS; read += 1) {
      const { version } = await chain.group(groupId)
      const members = await chain.membersOfGroup(groupId)
      if ((await chain.group(groupId)).version !== version) continue
      return { version, addresses: new Set(members.map(({ address }) => address.toLowerCase())) }
    }
    return undefined
  }

  async function compare(accountAddress: string): Promise<void> {
    const members = await findMembers(accountAddress)
    if (members === undefined) throw new Refusal('chain-faulty')
    const { version } = members
    const before = await stores.accounts.findGroupVersion(accountAddress)
    if (before === undefined || before > version) return
    const expected = await differences(stores, accountAddress, members)
    const count = expected.added.length + expected.removed.length + expected.uninvited.length
    if (before === version && count === 0) return
    await stores.atomically(async (transaction) => {
      // A node that lags behind, or a slower comparison, must not restore earlier members.
      if (!(await transaction.accounts.updateGroupVersion(accountAddress, version))) return
      const at = clock()
      const { added, removed, uninvited } = await differences(transaction, accountAddress, members)
      await lockIdentities(
        transaction,
        added.map(({ owner }) => owner),
      )
      for (const { walletAddress, owner } of removed) {
        await transaction.accounts.deleteAuthorization(walletAddress, accountAddress)
        if (owner === undefined) continue
        // After the authorization, so that sessions that chose the account in the meantime are found too.
        const chosen = { walletAddress, groupPolicyAddress: accountAddress }
        await transaction.sessions.clearGroup(owner, chosen)
        await recordLeft(transaction, owner, at)
      }
      for (const walletAddress of uninvited) {
        await transaction.organizationInvitations.delete(walletAddress, accountAddress)
      }
      await deps.inviteMembers(transaction, { accountAddress, members: added, at })
    })
  }

  /** The last comparison of an account, if it began within this time. */
  function recent(accountAddress: string, maximumAgeMs: number): Comparison | undefined {
    const last = compared.get(accountAddress)
    // The clock may have been set back.
    return last !== undefined && Math.abs(clock() - last.at) < maximumAgeMs ? last : undefined
  }

  async function begin(accountAddress: string): Promise<Refusal | undefined> {
    if (compared.size >= MAX_COMPARED_ACCOUNTS) compared.clear()
    const done = withinWait(compare(accountAddress))
    const comparison: Comparison = { at: clock(), done, failure: undefined }
    compared.set(accountAddress, comparison)
    comparing.add(done)
    comparison.failure = await done
    comparing.delete(done)
    return comparison.failure
  }

  async function refresh(accountAddress: string, maximumAgeMs = 0): Promise<boolean> {
    const last = recent(accountAddress, maximumAgeMs)
    if (last !== undefined) {
      // A comparison in progress decides for all calls that arrive meanwhile.
      const isInProgress = comparing.has(last.done)
      await last.done
      return isInProgress
    }
    await begin(accountAddress)
    return true
  }

  async function compareIdentity(identityId: string): Promise<void> {
    const [wallets, known, invitations] = await Promise.all([
      stores.wallets.listByIdentity(identityId),
      stores.accounts.listByIdentity(identityId),
      stores.organizationInvitations.listPairs(identityId),
    ])
    const waiting = invitations.filter(({ declinedAt }) => declinedAt === null)
    const addresses = wallets.flatMap(({ address, verifiedAt }) =>
      verifiedAt === null ? [] : [address],
    )
    const memberOf = await Promise.all(
      addresses.map(async (address) => {
        // An organization's group administers itself, so its administrator is the account.
        const groups = await deps.chain().groupsOfMember(address)
        return groups.map(({ admin }) => ({ walletAddress: address, address: admin }))
      }),
    )
    const pairs = new Set([...known, ...invitations].map(pairOf))
    const current = new Set(memberOf.flat().map(pairOf))
    const joined = memberOf.flat().filter((membership) => !pairs.has(pairOf(membership)))
    const groups = known.filter(({ type }) => type === 'Group')
    const left = [...groups, ...waiting].filter((each) => !current.has(pairOf(each)))
    const refreshAll = (addresses: readonly string[]) =>
      Promise.all([...new Set(addresses)].map((address) => refresh(address)))
    // Removals first, to make room.
    await refreshAll(left.map(({ address }) => address))
    await refreshAll(
      await stores.accounts.listExisting([...new Set(joined.map(({ address }) => address))]),
    )
  }

  /**
   * Waits for the work for at most a few seconds; the work then continues in the background. Returns why it was not done. If
   * the chain does not respond, the last known members count.
   */
  async function withinWait(work: Promise<void>): Promise<Refusal | undefined> {
    const { promise: isLate, resolve } = Promise.withResolvers<Refusal>()
    const timer = setTimeout(() => resolve(new Refusal('chain-timeout')), WAIT_MS)
    const done = work.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error
        log.error({ err: error }, 'members were not compared')
        return new Refusal('chain-faulty', { cause: error })
      },
    )
    const failure = await Promise.race([done, isLate])
    clearTimeout(timer)
    return failure
  }

  return {
    refresh,
    refreshNow: async (accountAddress) =>
      recent(accountAddress, RETRY_MS)?.failure ?? begin(accountAddress),
    refreshIdentity: async (identityId) => {
      await withinWait(compareIdentity(identityId))
    },
    async readMembers(accountAddress) {
      const members = await findMembers(accountAddress)
      if (members === undefined) throw new Refusal('chain-faulty')
      return members
    },
  }
}

/**
 * Locks the identities that are about to be added to an organization, because concurrent additions by other organizations
 * count toward the same limit.
 */
export async function lockIdentities(
  { identities }: Pick<Stores, 'identities'>,
  identityIds: readonly string[],
): Promise<void> {
  // In a fixed order, so that two organizations cannot deadlock.
  for (const id of [...new Set(identityIds)].sort()) await identities.findForUpdate(id)
}

const pairOf = (pair: { readonly walletAddress: string; readonly address: string }) =>
  `${pair.walletAddress} ${pair.address}`

/**
 * The authorizations and waiting invitations to remove, and the members to invite, so that they match the group's members who
 * have an identity here. A declined invitation stays, so that removing and adding a member again does not repeat it.
 */
async function differences(
  {
    accounts,
    organizationInvitations,
    wallets,
  }: Pick<Stores, 'accounts' | 'organizationInvitations' | 'wallets'>,
  accountAddress: string,
  { addresses }: GroupMembers,
) {
  const authorized = await accounts.listGroupWallets(accountAddress)
  const removed: { walletAddress: string; owner: string | undefined }[] = []
  for (const walletAddress of authorized) {
    if (addresses.has(walletAddress)) continue
    const owner = await wallets.findOwner(walletAddress)
    if (owner !== undefined && (await isConvertedMember(wallets, owner, addresses))) continue
    removed.push({ walletAddress, owner })
  }
  const invited = await organizationInvitations.listByAccount(accountAddress)
  const uninvited = invited.flatMap(({ walletAddress, declinedAt }) =>
    declinedAt === null && !addresses.has(walletAddress) ? [walletAddress] : [],
  )
  const known = new Set([...authorized, ...invited.map(({ walletAddress }) => walletAddress)])
  // One query, because a group may have thousands of members, most of them strangers.
  const added = await wallets.listOwned([...addresses].filter((address) => !known.has(address)))
  return { removed, added, uninvited }
}

/** The group has the address of a wallet that was converted to another one (§2.2). */
export async function isConvertedMember(
  wallets: Stores['wallets'],
  identityId: string,
  addresses: ReadonlySet<string>,
): Promise<boolean> {
  const converted = await wallets.listConverted(identityId)
  return converted.some((address) => addresses.has(address))
}

/** The change was made on the chain, not by a visitor. */
async function recordLeft(
  { audit, identities }: Pick<Stores, 'audit' | 'identities'>,
  identityId: string,
  at: number,
): Promise<void> {
  const identity = await identities.findById(identityId)
  if (identity === undefined) return
  const organization = { orgCode: identity.organizationCode }
  await audit.record('organization-left', { identityId, at }, { organization, network: '' })
}
