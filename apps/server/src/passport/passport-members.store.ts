import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { PassportMembersTable } from '../database/tables.ts'

export type PassportMemberRow = Selectable<PassportMembersTable>

/** The members of passports, and pending invitations. */
export function passportMembersStore(database: Database) {
  return {
    /** Members and invitations, oldest first. */
    list: (passportId: string): Promise<PassportMemberRow[]> =>
      database
        .selectFrom('passportMembers')
        .selectAll()
        .where('passportId', '=', passportId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),

    /** Whether an identity has accepted an invitation to the passport. */
    async isMember(passportId: string, identityId: string): Promise<boolean> {
      const row = await database
        .selectFrom('passportMembers')
        .select('id')
        .where('passportId', '=', passportId)
        .where('identityId', '=', identityId)
        .executeTakeFirst()
      return row !== undefined
    },

    async insert(row: PassportMemberRow): Promise<void> {
      await database.insertInto('passportMembers').values(row).execute()
    },

    /** Renews a pending invitation. */
    async updateInvitation(
      id: string,
      invitation: Pick<PassportMemberRow, 'expiresAt' | 'name' | 'role'>,
    ): Promise<void> {
      await database.updateTable('passportMembers').set(invitation).where('id', '=', id).execute()
    },

    /** Accepts a pending invitation. Of concurrent calls, only one succeeds. */
    async consumeInvitation(
      passportId: string,
      { email, identityId, at }: { email: string; identityId: string; at: number },
    ): Promise<boolean> {
      const row = await database
        .updateTable('passportMembers')
        .set({ identityId, joinedAt: at })
        .where('passportId', '=', passportId)
        .where('email', '=', email)
        .where('identityId', 'is', null)
        .where('expiresAt', '>', at)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns whether the member existed. */
    async delete(passportId: string, id: string): Promise<boolean> {
      const row = await database
        .deleteFrom('passportMembers')
        .where('passportId', '=', passportId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
