import { emailAddress } from '@portico/contracts/email-address'
import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Database } from '../database/database.ts'
import type { DirectoryUsersTable, Tables } from '../database/tables.ts'
import type { PagePosition } from './scim-cursors.ts'
import type { DirectoryUser } from './scim-patch.ts'

export type DirectoryUserRow = Selectable<DirectoryUsersTable>

/** The filters by which directories look up users. */
export interface DirectoryUserFilter {
  readonly id?: string | undefined
  readonly userName?: string | undefined
  readonly externalId?: string | undefined
  readonly email?: string | undefined
  readonly active?: boolean | undefined
}

/** A page of a list, counted from 0, or after a resource in the order of creation. */
export interface Page {
  readonly offset: number
  readonly limit: number
  /** `start` for the first page in the order of creation. */
  readonly after?: PagePosition | 'start' | undefined
}

/** The people in the directories of identity providers. Every query is within one provider. */
export function directoryUsersStore(database: Database) {
  const ofProvider = (providerId: string) =>
    database
      .selectFrom('directoryUsers')
      .selectAll()
      .where('providerId', '=', providerId)
      .where('deletedAt', 'is', null)

  return {
    find: (providerId: string, id: string): Promise<DirectoryUserRow | undefined> =>
      ofProvider(providerId).where('id', '=', id).executeTakeFirst(),

    async list(
      providerId: string,
      filter: DirectoryUserFilter,
      { offset, limit, after }: Page,
    ): Promise<{ total: number; rows: DirectoryUserRow[] }> {
      const { total } = await applyFilter(ofProvider(providerId), filter)
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows =
        limit === 0 || offset >= total
          ? []
          : await applyFilter(ofProvider(providerId), filter)
              // Users added while a directory reads the pages come last. A search must not scan the index of this order.
              .$if(!isSearch(filter), (users) => users.orderBy('createdAt').orderBy('id'))
              .$if(isSearch(filter) && after !== undefined, (users) =>
                users.orderBy(SEARCH_ORDER).orderBy('id'),
              )
              .where(isAfter(after, isSearch(filter) ? SEARCH_ORDER : sql.ref('createdAt')))
              .limit(limit)
              .offset(offset)
              .execute()
      return { total, rows }
    },

    /** The IDs that are users. */
    async listIds(providerId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await ofProvider(providerId)
        .clearSelect()
        .select('id')
        .where('id', 'in', ids)
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Adds a user. Returns undefined if the directory already has one with this name. */
    insert: (user: Insertable<DirectoryUsersTable>): Promise<DirectoryUserRow | undefined> =>
      database
        .insertInto('directoryUsers')
        .values(user)
        .onConflict((conflict) =>
          conflict
            .columns(['providerId', 'userNameKey'])
            .where('deletedAt', 'is', null)
            .doNothing(),
        )
        .returningAll()
        .executeTakeFirst(),

    /** Locks the row until the transaction ends. */
    findForUpdate: (providerId: string, id: string): Promise<DirectoryUserRow | undefined> =>
      database
        .updateTable('directoryUsers')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('providerId', '=', providerId)
        .where('id', '=', id)
        .where('deletedAt', 'is', null)
        .returningAll()
        .executeTakeFirst(),

    /** Locks the deleted user with the directory's own ID. */
    findDeletedForUpdate: (
      providerId: string,
      externalId: string,
    ): Promise<DirectoryUserRow | undefined> =>
      database
        .updateTable('directoryUsers')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('providerId', '=', providerId)
        .where('externalId', '=', externalId)
        .where('deletedAt', 'is not', null)
        .returningAll()
        .executeTakeFirst(),

    /** Whether another user of the directory has this name. */
    async isNameTaken(
      { providerId, id }: Pick<DirectoryUserRow, 'providerId' | 'id'>,
      userName: string,
    ): Promise<boolean> {
      const row = await ofProvider(providerId)
        .where('userNameKey', '=', userName.toLowerCase())
        .where('id', '!=', id)
        .executeTakeFirst()
      return row !== undefined
    },

    update: (
      id: string,
      changes: Partial<Omit<DirectoryUserRow, 'id' | 'providerId'>>,
    ): Promise<DirectoryUserRow> =>
      database
        .updateTable('directoryUsers')
        .set(changes)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    async delete(id: string): Promise<void> {
      await database.deleteFrom('directoryUsers').where('id', '=', id).execute()
    },

    async deleteMemberships(id: string): Promise<void> {
      await database.deleteFrom('directoryMembers').where('userId', '=', id).execute()
    },

    /**
     * The account of a user who has logged in with the provider before: by the subject, or by the address of the account. An
     * account that has never logged in with the provider is not found, nor one that another user of the directory has.
     */
    async findAccount({
      providerId,
      externalId,
      userNameKey,
      emailKey,
    }: DirectoryUserRow): Promise<string | undefined> {
      const accounts = database
        .selectFrom('providerSubjects')
        .innerJoin('identities', 'identities.id', 'providerSubjects.identityId')
        .select('identities.id')
        .where('providerSubjects.providerId', '=', providerId)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('directoryUsers')
                .select('directoryUsers.id')
                .whereRef('directoryUsers.identityId', '=', 'identities.id')
                .where('directoryUsers.providerId', '=', providerId),
            ),
          ),
        )
      const bySubject =
        externalId === null
          ? undefined
          : await accounts.where('subject', '=', externalId).executeTakeFirst()
      const found =
        bySubject ??
        (await accounts
          .where('identities.email', 'in', [userNameKey, emailKey ?? userNameKey])
          .executeTakeFirst())
      return found?.id
    },

    /**
     * The user who logs in: the account's user, or else one without an account, by subject or by an address that the
     * provider may vouch for. The account's deleted users come last, because a directory may add a person again.
     */
    async findByLogin(
      providerId: string,
      {
        subject,
        email,
        identityId,
      }: {
        readonly subject: string
        readonly email: string | undefined
        readonly identityId: string | undefined
      },
    ): Promise<DirectoryUserRow | undefined> {
      const connected =
        identityId === undefined
          ? []
          : await database
              .selectFrom('directoryUsers')
              .selectAll()
              .where('identityId', '=', identityId)
              .where('providerId', '=', providerId)
              .execute()
      const free = ofProvider(providerId).where('identityId', 'is', null)
      // One query each, because each uses its own index.
      return (
        connected.find(({ deletedAt }) => deletedAt === null) ??
        (await free.where('externalId', '=', subject).executeTakeFirst()) ??
        (email === undefined
          ? undefined
          : ((await free.where('userNameKey', '=', email).executeTakeFirst()) ??
            (await free.where('emailKey', '=', email).executeTakeFirst()))) ??
        connected[0]
      )
    },

    /**
     * Links a user to the account that the person has just logged in to; deleted users of the account are superseded.
     * Returns `false` if the user already has an account or has left.
     */
    async connect(
      { providerId, id }: Pick<DirectoryUserRow, 'providerId' | 'id'>,
      identityId: string,
    ): Promise<boolean> {
      const row = await database
        .updateTable('directoryUsers')
        .set({ identityId })
        .where('id', '=', id)
        .where('identityId', 'is', null)
        .where('deactivatedAt', 'is', null)
        .where('leftGroupAt', 'is', null)
        .where('deletedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (row === undefined) return false
      await database
        .deleteFrom('directoryUsers')
        .where('providerId', '=', providerId)
        .where('identityId', '=', identityId)
        .where('deletedAt', 'is not', null)
        .execute()
      return true
    },

    /** Whether a directory locks the account; `exceptOf` excludes one provider's directory. */
    async hasLeft(identityId: string, exceptOf?: string): Promise<boolean> {
      const locks = await this.listLocks(identityId)
      return locks.some(({ providerId }) => providerId !== exceptOf)
    },

    /** The directories that lock the account: those of enabled providers that manage it. */
    async listLocks(identityId: string) {
      const rows = await database
        .selectFrom('directoryUsers')
        .innerJoin('identityProviders', 'identityProviders.id', 'directoryUsers.providerId')
        .innerJoin('providerSubjects', (join) =>
          join
            .onRef('providerSubjects.providerId', '=', 'directoryUsers.providerId')
            .onRef('providerSubjects.identityId', '=', 'directoryUsers.identityId'),
        )
        .select([
          'directoryUsers.id',
          'directoryUsers.providerId',
          'identityProviders.name',
          'directoryUsers.deactivatedAt',
          'directoryUsers.leftGroupAt',
        ])
        .where('directoryUsers.identityId', '=', identityId)
        .where('identityProviders.enabledAt', 'is not', null)
        .where('providerSubjects.managedAt', 'is not', null)
        .where(({ eb, or }) =>
          or([
            eb('directoryUsers.deactivatedAt', 'is not', null),
            eb('directoryUsers.leftGroupAt', 'is not', null),
          ]),
        )
        .execute()
      return rows.map(({ deactivatedAt, leftGroupAt, ...row }) => ({
        ...row,
        since: deactivatedAt ?? leftGroupAt ?? 0,
      }))
    },

    /** Lifts the locks of directories, which can set them again. Returns whether there was one. */
    async deleteLocks(identityId: string): Promise<boolean> {
      const ids = (await this.listLocks(identityId)).map(({ id }) => id)
      if (ids.length === 0) return false
      await database
        .deleteFrom('directoryUsers')
        .where('id', 'in', ids)
        .where('deletedAt', 'is not', null)
        .execute()
      await database
        .updateTable('directoryUsers')
        .set({ deactivatedAt: null, leftGroupAt: null })
        .where('id', 'in', ids)
        .execute()
      return true
    },

    /** Releases an account from a provider's directory, whose later changes no longer concern it. */
    async disconnect(identityId: string, providerId: string): Promise<void> {
      const ofAccount = { identityId, providerId }
      await database
        .deleteFrom('directoryUsers')
        .where(({ and }) => and(ofAccount))
        .where('deletedAt', 'is not', null)
        .execute()
      await database
        .updateTable('directoryUsers')
        .set({ identityId: null })
        .where(({ and }) => and(ofAccount))
        .execute()
    },

    /** Whether a user belongs to a group, by the group's name or the directory's own ID. */
    async isInGroup({ providerId, id }: DirectoryUserRow, group: string): Promise<boolean> {
      const row = await database
        .selectFrom('directoryMembers')
        .innerJoin('directoryGroups', 'directoryGroups.id', 'directoryMembers.groupId')
        .select('directoryGroups.id')
        .where('directoryGroups.providerId', '=', providerId)
        .where('directoryMembers.userId', '=', id)
        .where(({ eb, or }) =>
          or([
            eb('directoryGroups.displayName', '=', group),
            eb('directoryGroups.externalId', '=', group),
          ]),
        )
        .executeTakeFirst()
      return row !== undefined
    },

    /** Clears the record that users left the required group, because another one is now required. Returns their accounts. */
    async clearLeftGroup(providerId: string): Promise<string[]> {
      const rows = await database
        .updateTable('directoryUsers')
        .set({ leftGroupAt: null })
        .where('providerId', '=', providerId)
        .where('leftGroupAt', 'is not', null)
        .returning('identityId')
        .execute()
      return rows.map(({ identityId }) => identityId).filter((id) => id !== null)
    },

    /** Records that members of a group left the required group. Returns their accounts. */
    updateLeftGroup: (members: MemberSelection, at: number): Promise<string[]> =>
      updateGroupMembers(members, { from: null, to: at }),

    /** Records that members of a group belong to the required group again. Returns their accounts. */
    updateReturnedToGroup: (members: MemberSelection): Promise<string[]> =>
      updateGroupMembers(members, { from: 'left', to: null }),
  }

  async function updateGroupMembers(
    { groupId, only, except }: MemberSelection,
    { from, to }: { readonly from: 'left' | null; readonly to: number | null },
  ): Promise<string[]> {
    const rows = await database
      .updateTable('directoryUsers')
      .set({ leftGroupAt: to })
      .where('leftGroupAt', from === null ? 'is' : 'is not', null)
      .where('id', 'in', (query) =>
        query
          .selectFrom('directoryMembers')
          .select('userId')
          .where('groupId', '=', groupId)
          .$if(only !== undefined, (members) => members.where('userId', 'in', only ?? []))
          .$if(except !== undefined && except.length > 0, (members) =>
            members.where('userId', 'not in', except ?? []),
          ),
      )
      .returning('identityId')
      .execute()
    return rows.map(({ identityId }) => identityId).filter((id) => id !== null)
  }
}

/** The order of creation, by an expression that no index has. */
const SEARCH_ORDER = sql`created_at + 0`

/** Whether a row follows a resource in the order of creation. */
export function isAfter(
  after: Page['after'],
  createdAt: RawBuilder<unknown> = sql.ref('createdAt'),
): RawBuilder<SqlBool> {
  if (after === undefined || after === 'start') return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`(${createdAt}, id) > (${after.createdAt}, ${after.id})`
}

/** Members of a group: all, `only` these, or all `except` these. */
export interface MemberSelection {
  readonly groupId: string
  readonly only?: readonly string[]
  readonly except?: readonly string[]
}

/** The columns of a user's attributes. */
export function userColumns(user: Omit<DirectoryUser, 'active'>) {
  return {
    userName: user.userName,
    userNameKey: user.userName.toLowerCase(),
    externalId: user.externalId ?? null,
    email: user.email ?? null,
    emailKey: emailAddress(user.email ?? '') ?? null,
    displayName: user.displayName ?? null,
    givenName: user.givenName ?? null,
    familyName: user.familyName ?? null,
  }
}

/** Whether a filter selects a few users through an index. */
function isSearch({ id, userName, externalId, email }: DirectoryUserFilter): boolean {
  return [id, userName, externalId, email].some((value) => value !== undefined)
}

function applyFilter<Row>(
  query: SelectQueryBuilder<Tables, 'directoryUsers', Row>,
  { id, userName, externalId, email, active }: DirectoryUserFilter,
) {
  return query
    .$if(id !== undefined, (users) => users.where('id', '=', id ?? ''))
    .$if(userName !== undefined, (users) =>
      users.where('userNameKey', '=', (userName ?? '').toLowerCase()),
    )
    .$if(externalId !== undefined, (users) => users.where('externalId', '=', externalId ?? ''))
    .$if(email !== undefined, (users) =>
      users.where('emailKey', '=', emailAddress(email ?? '') ?? ''),
    )
    .$if(active !== undefined, (users) =>
      users.where('deactivatedAt', active === true ? 'is' : 'is not', null),
    )
}
