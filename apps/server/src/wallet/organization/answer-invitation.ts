/** Lists, accepts and declines invitations to organizations. A membership that a person no longer wants is declined too. */
import { Refusal } from '@portico/contracts/errors'
import { MAX_WALLETS, ORGANIZATION_INVITATIONS_PER_PAGE } from '@portico/contracts/limits'
import type { OrganizationInvitation } from '@portico/contracts/organization-account'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { lockSession, type OpenSession } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { InvitationPosition } from './invitations.store.ts'
import { isConvertedMember, MAX_ADDED_MEMBERSHIPS, type Memberships } from './memberships.ts'

export function organizationInvitations(deps: {
  readonly stores: TransactionalStores<
    'accounts' | 'audit' | 'identities' | 'organizationInvitations' | 'sessions' | 'wallets'
  >
  readonly memberships: Pick<Memberships, 'readMembers' | 'refresh' | 'refreshIdentity'>
  readonly clock: Clock
}) {
  const { stores, memberships, clock } = deps

  return {
    /** A page of waiting and a page of declined ones, or the next page of either. */
    async list(
      after: string | undefined,
      { identityId }: OpenSession,
    ): Promise<OrganizationInvitation[]> {
      const cursor = after === undefined ? undefined : parseCursor(after)
      if (cursor === undefined) await memberships.refreshIdentity(identityId)
      const page = { after: cursor?.position, limit: ORGANIZATION_INVITATIONS_PER_PAGE + 1 }
      const { organizationInvitations: invitations } = stores
      const [waiting, declined] = await Promise.all([
        cursor?.kind === 'declined' ? [] : invitations.listWaiting(identityId, page),
        cursor?.kind === 'waiting' ? [] : invitations.listDeclined(identityId, page),
      ])
      return [
        ...pageOf('waiting', waiting),
        ...pageOf(
          'declined',
          declined.map((row) => ({ ...row, rank: 0 })),
        ),
      ]
    },

    /** The chain decides at this moment whether the person is still a member; without it nothing is accepted. */
    async accept(
      accountAddress: string,
      session: OpenSession,
      visitor: Visitor,
    ): Promise<{ account: { name: string; address: string } }> {
      const { identityId } = session
      const invited = await stores.organizationInvitations.listWallets(identityId, accountAddress)
      // The member may have been added since the last comparison.
      if (invited.length === 0) await memberships.refresh(accountAddress)
      const members = await memberships.readMembers(accountAddress)
      const at = clock()
      const account = await stores.atomically(async (transaction) => {
        const { accounts } = transaction
        // The account's row first, as comparisons with the chain lock it.
        if (!(await accounts.updateGroupVersion(accountAddress, members.version)))
          throw new Refusal('not-found')
        await lockSession(transaction, session, at)
        const waiting = await transaction.organizationInvitations.listWallets(
          identityId,
          accountAddress,
        )
        const isConverted = await isConvertedMember(
          transaction.wallets,
          identityId,
          members.addresses,
        )
        const accepted = waiting.filter((wallet) => isConverted || members.addresses.has(wallet))
        const [first] = accepted
        if (first === undefined) throw new Refusal('not-found')
        const isAdded = (await accounts.findCreator(accountAddress)) !== identityId
        const isFull = isAdded
          ? (await accounts.countAdded(identityId)) >= MAX_ADDED_MEMBERSHIPS
          : (await accounts.countOwn(identityId)) >= MAX_WALLETS
        if (isFull) throw new Refusal('too-many-accounts')
        for (const walletAddress of accepted) {
          await transaction.organizationInvitations.delete(walletAddress, accountAddress)
          await accounts.insertAuthorization({
            walletAddress,
            accountAddress,
            type: 'Group',
            at,
            isAdded,
          })
        }
        await transaction.audit.record('organization-joined', { identityId, at }, visitor)
        return accounts.findAuthorized(first, accountAddress)
      })
      if (account === undefined) throw new Refusal('not-found')
      return { account: { name: account.name, address: account.address } }
    },

    /** Sessions that act for the organization then act for the wallet alone. It can be accepted later. */
    async decline(accountAddress: string, session: OpenSession, visitor: Visitor): Promise<void> {
      const { identityId } = session
      const at = clock()
      await stores.atomically(async (transaction) => {
        await transaction.accounts.lock(accountAddress)
        await lockSession(transaction, session, at)
        const { accounts, audit, organizationInvitations: invitations, sessions } = transaction
        const declined = await invitations.decline(identityId, accountAddress, at)
        const hidden = (await accounts.listByIdentity(identityId)).filter(
          ({ address, type }) => address === accountAddress && type === 'Group',
        )
        if (!declined && hidden.length === 0) throw new Refusal('not-found')
        for (const { walletAddress } of hidden) {
          const invitation = { walletAddress, accountAddress, identityId }
          await accounts.deleteAuthorization(walletAddress, accountAddress)
          await invitations.insert({ ...invitation, createdAt: at, declinedAt: at })
          const chosen = { walletAddress, groupPolicyAddress: accountAddress }
          await sessions.clearGroup(identityId, chosen)
        }
        await audit.record('organization-declined', { identityId, at }, visitor)
      })
    },
  }
}

interface InvitationRow {
  readonly address: string
  readonly name: string
  readonly walletAddress: string
  readonly walletName: string
  readonly createdAt: number
  readonly declinedAt: number | null
  readonly rank: number
}

type InvitationKind = 'waiting' | 'declined'

/** The invitations of a page. The last one has the cursor of the next, if there is another row. */
function pageOf(kind: InvitationKind, rows: readonly InvitationRow[]): OrganizationInvitation[] {
  const page = rows.slice(0, ORGANIZATION_INVITATIONS_PER_PAGE)
  const hasMore = rows.length > page.length
  return page.map((row, index) => ({
    account: { address: row.address, name: row.name },
    wallet: { address: row.walletAddress, name: row.walletName },
    invitedAt: row.createdAt,
    declined: row.declinedAt !== null,
    ...(hasMore && index === page.length - 1 ? { next: cursorOf(kind, row) } : {}),
  }))
}

const cursorOf = (
  kind: InvitationKind,
  { rank, createdAt, declinedAt, address, walletAddress }: InvitationRow,
) => [kind, rank, declinedAt ?? createdAt, address, walletAddress].join('.')

/** @throws Refusal - `invalid-request` if a client changed `next` */
function parseCursor(text: string): {
  readonly kind: InvitationKind
  readonly position: InvitationPosition
} {
  const [, kind, rank, at, address = '', walletAddress = ''] =
    /^(waiting|declined)\.(\d)\.(\d{1,15})\.(\w{1,100})\.(\w{1,100})$/.exec(text) ?? []
  if (kind !== 'waiting' && kind !== 'declined') throw new Refusal('invalid-request')
  return { kind, position: { rank: Number(rank), at: Number(at), address, walletAddress } }
}
