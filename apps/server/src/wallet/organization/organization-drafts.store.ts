import { ORGANIZATION_DRAFT_LIFETIME_MS } from '@portico/contracts/limits'
import { OrganizationMember } from '@portico/contracts/organization-account'
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { OrganizationDraftsTable } from '../../database/tables.ts'

/** A named organization before its group is confirmed. */
export type OrganizationDraft = Selectable<OrganizationDraftsTable>

/** Organizations being created. */
export function organizationDraftsStore(database: Database) {
  return {
    async insert(draft: OrganizationDraft): Promise<void> {
      await database.insertInto('organizationDrafts').values(draft).execute()
    },

    find: (id: string, identityId: string): Promise<OrganizationDraft | undefined> =>
      database
        .selectFrom('organizationDrafts')
        .selectAll()
        .where('id', '=', id)
        .where('identityId', '=', identityId)
        .executeTakeFirst(),

    /** An identity's drafts without an account, oldest first. */
    listUnfinished: (identityId: string, at: number): Promise<OrganizationDraft[]> =>
      database
        .selectFrom('organizationDrafts')
        .selectAll()
        .where('identityId', '=', identityId)
        .where('accountAddress', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, ORGANIZATION_DRAFT_LIFETIME_MS))
        .orderBy('createdAt')
        .execute(),

    /** Sets the draft's account. Of concurrent calls, only one succeeds. */
    async consume(id: string, accountAddress: string): Promise<boolean> {
      const row = await database
        .updateTable('organizationDrafts')
        .set({ accountAddress })
        .where('id', '=', id)
        .where('accountAddress', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

/** All members of a draft, its controlling wallet first. */
export function membersOf({
  walletAddress,
  members,
}: Pick<OrganizationDraft, 'members' | 'walletAddress'>): OrganizationMember[] {
  const others = z.array(OrganizationMember).parse(JSON.parse(members))
  return [{ address: walletAddress, name: '' }, ...others]
}
