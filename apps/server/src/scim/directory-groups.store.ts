import type { Insertable, Selectable, SelectQueryBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import type { DirectoryGroupsTable, Tables } from '../database/tables.ts'
import { isAfter, type MemberSelection, type Page } from './directory-users.store.ts'

export type DirectoryGroupRow = Selectable<DirectoryGroupsTable>

/** The filters by which directories look up groups. */
export interface DirectoryGroupFilter {
  readonly id?: string | undefined
  readonly displayName?: string | undefined
  readonly externalId?: string | undefined
  /** The ID of a member. */
  readonly member?: string | undefined
}

/** The groups in the directories of identity providers. Every query is within one provider. */
export function directoryGroupsStore(database: Database) {
  const ofProvider = (providerId: string) =>
    database.selectFrom('directoryGroups').selectAll().where('providerId', '=', providerId)

  return {
    find: (providerId: string, id: string): Promise<DirectoryGroupRow | undefined> =>
      ofProvider(providerId).where('id', '=', id).executeTakeFirst(),

    async list(
      providerId: string,
      filter: DirectoryGroupFilter,
      { offset, limit, after }: Page,
    ): Promise<{ total: number; rows: DirectoryGroupRow[] }> {
      const { total } = await applyFilter(ofProvider(providerId), filter)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows =
        limit === 0 || offset >= total
          ? []
          : await applyFilter(ofProvider(providerId), filter)
              .where(isAfter(after))
              .orderBy('createdAt')
              .orderBy('id')
              .limit(limit)
              .offset(offset)
              .execute()
      return { total, rows }
    },

    /** Adds a group. Returns undefined if the directory already has one with this name. */
    insert: (group: Insertable<DirectoryGroupsTable>): Promise<DirectoryGroupRow | undefined> =>
      database
        .insertInto('directoryGroups')
        .values(group)
        .onConflict((conflict) => conflict.columns(['providerId', 'displayNameKey']).doNothing())
        .returningAll()
        .executeTakeFirst(),

    /** How many groups the directory has, counted up to `limit`. */
    async count(providerId: string, limit: number): Promise<number> {
      const { count } = await database
        .selectFrom((query) =>
          query
            .selectFrom('directoryGroups')
            .select('id')
            .where('providerId', '=', providerId)
            .limit(limit)
            .as('groups'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    /** Locks the row until the transaction ends, so that changes to one group are serialized. */
    findForUpdate: (providerId: string, id: string): Promise<DirectoryGroupRow | undefined> =>
      database
        .updateTable('directoryGroups')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('providerId', '=', providerId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** Whether another group of the directory has this name. */
    async isNameTaken(
      { providerId, id }: Pick<DirectoryGroupRow, 'providerId' | 'id'>,
      displayName: string,
    ): Promise<boolean> {
      const row = await ofProvider(providerId)
        .where('displayNameKey', '=', displayName.toLowerCase())
        .where('id', '!=', id)
        .executeTakeFirst()
      return row !== undefined
    },

    update: (
      id: string,
      changes: Partial<Omit<DirectoryGroupRow, 'id' | 'providerId'>>,
    ): Promise<DirectoryGroupRow> =>
      database
        .updateTable('directoryGroups')
        .set(changes)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async delete(id: string): Promise<void> {
      await database.deleteFrom('directoryGroups').where('id', '=', id).execute()
    },

    async insertMembers(groupId: string, userIds: readonly string[]): Promise<void> {
      await database
        .insertInto('directoryMembers')
        .values(userIds.map((userId) => ({ groupId, userId })))
        .onConflict((conflict) => conflict.columns(['groupId', 'userId']).doNothing())
        .execute()
    },

    async deleteMembers({ groupId, only, except }: MemberSelection): Promise<void> {
      await database
        .deleteFrom('directoryMembers')
        .where('groupId', '=', groupId)
        .$if(only !== undefined, (members) => members.where('userId', 'in', only ?? []))
        .$if(except !== undefined && except.length > 0, (members) =>
          members.where('userId', 'not in', except ?? []),
        )
        .execute()
    },

    /** Members of groups, `limit` at most. */
    listMembers: (groupIds: readonly string[], limit: number) =>
      database
        .selectFrom('directoryMembers')
        .innerJoin('directoryUsers', 'directoryUsers.id', 'directoryMembers.userId')
        .select([
          'directoryMembers.groupId',
          'directoryMembers.userId',
          'directoryUsers.displayName',
          'directoryUsers.userName',
        ])
        .where('directoryMembers.groupId', 'in', groupIds)
        .limit(limit)
        .execute(),
  }
}

function applyFilter<Row>(
  query: SelectQueryBuilder<Tables, 'directoryGroups', Row>,
  { id, displayName, externalId, member }: DirectoryGroupFilter,
) {
  return query
    .$if(id !== undefined, (groups) => groups.where('id', '=', id ?? ''))
    .$if(displayName !== undefined, (groups) =>
      groups.where('displayNameKey', '=', (displayName ?? '').toLowerCase()),
    )
    .$if(externalId !== undefined, (groups) => groups.where('externalId', '=', externalId ?? ''))
    .$if(member !== undefined, (groups) =>
      groups.where('id', 'in', (members) =>
        members
          .selectFrom('directoryMembers')
          .select('groupId')
          .where('userId', '=', member ?? ''),
      ),
    )
}
