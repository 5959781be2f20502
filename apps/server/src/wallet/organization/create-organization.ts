/**
 * Creates an organization (§2.2, architecture 6). The controlling wallet creates a group on the chain, which then gets
 * an account here that the wallet signs for as `Group`. Only the state of the chain counts, not what a page reports.
 */
import { randomUUID } from 'node:crypto'
import type { Chain } from '@portico/chain-client/chain'
import { Refusal } from '@portico/contracts/errors'
import { MAX_WALLETS, ORGANIZATION_DRAFT_LIFETIME_MS } from '@portico/contracts/limits'
import type { OrganizationMember } from '@portico/contracts/organization-account'
import { membershipError } from '@portico/rules/organization-members'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import { assertAuthorized } from '../choose-account.ts'
import { findGroup } from './find-group.ts'
import type { InviteMembers } from './invite-members.ts'
import { lockIdentities } from './memberships.ts'
import { membersOf, type OrganizationDraft } from './organization-drafts.store.ts'

interface NamedAccount {
  readonly name: string
  readonly address: string
}

export function organizationCreation(deps: {
  readonly stores: TransactionalStores<
    | 'accounts'
    | 'audit'
    | 'counters'
    | 'identities'
    | 'messages'
    | 'organizationDrafts'
    | 'organizationInvitations'
    | 'sessions'
    | 'wallets'
  >
  readonly inviteMembers: InviteMembers
  readonly clock: Clock
  readonly chain: Chain
  readonly network: { readonly prefix: string }
}) {
  const { stores, inviteMembers, clock, chain, network } = deps

  async function findOrCreateDraft(
    session: OpenSession,
    named: Pick<OrganizationDraft, 'members' | 'name' | 'threshold' | 'walletAddress'>,
  ): Promise<{ draft: OrganizationDraft; known: boolean }> {
    const at = clock()
    const { identityId } = session
    return stores.atomically(async (transaction) => {
      await lockSession(transaction, session, at)
      const { organizationDrafts, accounts } = transaction
      const unfinished = await organizationDrafts.listUnfinished(identityId, at)
      const known = unfinished.find(
        (draft) =>
          draft.walletAddress === named.walletAddress &&
          draft.name === named.name &&
          draft.members === named.members &&
          draft.threshold === named.threshold,
      )
      if (known !== undefined) return { draft: known, known: true }
      // Every unfinished draft may still become an account.
      const count = (await accounts.countOwn(identityId)) + unfinished.length
      if (count >= MAX_WALLETS) throw new Refusal('too-many-accounts')
      const draft: OrganizationDraft = {
        id: randomUUID(),
        identityId,
        ...named,
        accountAddress: null,
        createdAt: at,
        expiresAt: at + ORGANIZATION_DRAFT_LIFETIME_MS,
      }
      await organizationDrafts.insert(draft)
      return { draft, known: false }
    })
  }

  /** Returns the account of a draft, creating it if the group is on the chain. */
  async function findOrCreateAccount(
    draft: OrganizationDraft,
    visitor: Visitor,
  ): Promise<NamedAccount | undefined> {
    const { id, name, walletAddress, identityId } = draft
    if (draft.accountAddress !== null) return { name, address: draft.accountAddress }
    const address = await findGroup(chain, draft)
    if (address === undefined) return undefined
    const members = membersOf(draft)
    await stores.atomically(async (transaction) => {
      const owned = await transaction.wallets.listOwned(
        members.map((member) => member.address).filter((each) => each !== walletAddress),
      )
      await lockIdentities(transaction, [identityId, ...owned.map(({ owner }) => owner)])
      if (!(await transaction.organizationDrafts.consume(id, address))) return
      const at = clock()
      await transaction.accounts.insert({ address, name, createdAt: at, creatorId: identityId })
      const own = owned.filter(({ owner }) => owner === identityId)
      for (const wallet of [walletAddress, ...own.map((each) => each.walletAddress)]) {
        await transaction.accounts.insertAuthorization({
          walletAddress: wallet,
          accountAddress: address,
          type: 'Group',
          at,
        })
      }
      await inviteMembers(transaction, {
        accountAddress: address,
        members: owned.filter(({ owner }) => owner !== identityId),
        at,
      })
      await transaction.audit.record('organization-created', { identityId, at }, visitor)
    })
    return { name, address }
  }

  return {
    async begin(
      request: {
        readonly walletAddress: string
        readonly name: string
        readonly members: readonly OrganizationMember[]
        readonly threshold: number
      },
      session: OpenSession,
      visitor: Visitor,
    ) {
      const { walletAddress, threshold } = request
      const name = request.name.trim()
      if (name === '') throw new Refusal('account-name-required')
      const addresses = [walletAddress, ...request.members.map(({ address }) => address)]
      const { prefix } = network
      const invalid = membershipError(addresses, { threshold, prefix })
      if (invalid !== undefined) {
        throw new Refusal('organization-members-invalid', { errors: [invalid] })
      }
      const members = JSON.stringify(
        request.members.map((member) => ({ ...member, name: member.name.trim() })),
      )
      const { identityId } = session
      await assertAuthorized(stores, identityId, { walletAddress, groupPolicyAddress: undefined })
      const { draft, known } = await findOrCreateDraft(session, {
        walletAddress,
        name,
        members,
        threshold,
      })
      // An earlier attempt may have reached the chain without being completed here.
      const account = known ? await findOrCreateAccount(draft, visitor) : undefined
      const { groupMessage } = await import('./group-message.ts')
      return { organizationId: draft.id, message: groupMessage(draft), account }
    },

    async complete(
      organizationId: string,
      { identityId }: OpenSession,
      visitor: Visitor,
    ): Promise<{ account: NamedAccount }> {
      const draft = await stores.organizationDrafts.find(organizationId, identityId)
      if (draft === undefined) throw new Refusal('not-found')
      const choice = { walletAddress: draft.walletAddress, groupPolicyAddress: undefined }
      await assertAuthorized(stores, identityId, choice)
      const account = await findOrCreateAccount(draft, visitor)
      if (account === undefined) throw new Refusal('organization-pending')
      return { account }
    },
  }
}
