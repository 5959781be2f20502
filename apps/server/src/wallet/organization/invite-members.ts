/**
 * Invites members of an organization's group to its account. Anyone can create a group with any name and the public address
 * of another person, so a member gets the account only after accepting, and no inviter can fill a person's list. The limits
 * hold for each creator of organizations, also after the creator's account was deleted.
 */
import {
  DAY_MS,
  MAX_ORGANIZATION_INVITATIONS_PER_INVITER,
  ORGANIZATION_INVITATIONS_PER_DAY,
} from '@portico/contracts/limits'
import type { Organization } from '@portico/contracts/organization-file'
import type { Organizations, Sender } from '../../brands/brands.ts'
import { organizationInvitationMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Stores } from '../../stores.ts'

interface InvitedMember {
  readonly walletAddress: string
  readonly owner: string
}

export type InviteMembers = (
  transaction: Pick<
    Stores,
    'accounts' | 'audit' | 'counters' | 'identities' | 'messages' | 'organizationInvitations'
  >,
  invitation: {
    readonly accountAddress: string
    readonly members: readonly InvitedMember[]
    readonly at: number
  },
) => Promise<void>

export function memberInvitations({
  organizations,
  senderOf,
  outbox,
}: {
  readonly organizations: Organizations
  readonly senderOf: (organization: Organization) => Sender
  readonly outbox: Outbox
}): InviteMembers {
  return async (transaction, { accountAddress, members, at }) => {
    const { accounts, counters, identities, organizationInvitations } = transaction
    const creatorId = await accounts.findCreator(accountAddress)
    // Without a creator no limit applies, so no one is invited. Members from before keep the account.
    if (creatorId === undefined) return
    for (const { walletAddress, owner } of members) {
      const identity = await identities.findById(owner)
      if (identity === undefined) continue
      const count = await organizationInvitations.countFrom(creatorId, owner, at - DAY_MS)
      if (count >= MAX_ORGANIZATION_INVITATIONS_PER_INVITER) continue
      const day = await counters.increment(`organization-invitations:${creatorId}`, at, DAY_MS)
      if (day.count > ORGANIZATION_INVITATIONS_PER_DAY) continue
      const invitation = { walletAddress, accountAddress, identityId: owner, createdAt: at }
      if (!(await organizationInvitations.insert({ ...invitation, declinedAt: null }))) continue
      const organization = { orgCode: identity.organizationCode }
      await transaction.audit.record(
        'organization-invited',
        { identityId: owner, at },
        { organization, network: '' },
      )
      // One mail a day, whatever the number of inviters. Its page lists all invitations.
      const mails = await counters.increment(`organization-invitation-mail:${owner}`, at, DAY_MS)
      if (mails.count > 1) continue
      const brand = organizations.withCode(identity.organizationCode)
      if (brand === undefined) continue
      const { email } = identity
      await outbox.add(transaction, organizationInvitationMail(senderOf(brand), { email }))
    }
  }
}
