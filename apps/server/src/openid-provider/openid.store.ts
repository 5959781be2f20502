import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { OpenidAuthorizationsTable, OpenidRecordsTable } from '../database/tables.ts'
import { isLockedByDirectory } from '../scim/scim.ts'
import { sha256 } from '../secrets/hashes.ts'

const hashOf = (kind: string, id: string) => sha256(`${kind} ${id}`)

/** The records of the OpenID Connect provider. A conditional statement enforces single use. */
export function openidStore(database: Database) {
  return {
    async upsertRecord({
      kind,
      id,
      ...record
    }: Pick<OpenidRecordsTable, 'kind' | 'payload' | 'grantId' | 'createdAt' | 'expiresAt'> & {
      readonly id: string
    }): Promise<void> {
      const { payload, grantId, expiresAt } = record
      await database
        .insertInto('openidRecords')
        .values({
          ...record,
          idHash: hashOf(kind, id),
          kind,
          consumedAt: null,
          successorSalt: null,
        })
        .onConflict((conflict) =>
          conflict.column('idHash').doUpdateSet({ payload, grantId, expiresAt }),
        )
        .execute()
    },

    /** Inserts a record. Returns false if it already exists. */
    async insertRecord({
      kind,
      id,
      ...record
    }: Pick<OpenidRecordsTable, 'kind' | 'payload' | 'createdAt' | 'expiresAt'> & {
      readonly id: string
    }): Promise<boolean> {
      const row = await database
        .insertInto('openidRecords')
        .values({
          ...record,
          idHash: hashOf(kind, id),
          kind,
          grantId: null,
          consumedAt: null,
          successorSalt: null,
        })
        .onConflict((conflict) => conflict.column('idHash').doNothing())
        .returning('idHash')
        .executeTakeFirst()
      return row !== undefined
    },

    findRecord: (kind: string, id: string) =>
      database
        .selectFrom('openidRecords')
        .select(['payload', 'consumedAt', 'successorSalt', 'createdAt', 'expiresAt'])
        .where('idHash', '=', hashOf(kind, id))
        .executeTakeFirst(),

    /** Begins a record anew, unless another request changed it meanwhile. Returns whether it did. */
    async restartRecord(
      {
        kind,
        id,
        ...record
      }: Pick<OpenidRecordsTable, 'kind' | 'payload' | 'createdAt'> & { id: string },
      replaces: string,
    ): Promise<boolean> {
      const row = await database
        .updateTable('openidRecords')
        .set(record)
        .where('idHash', '=', hashOf(kind, id))
        .where('payload', '=', replaces)
        .returning('idHash')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Marks a record as used. Returns whether this was the first use. */
    async consumeRecord(
      kind: string,
      id: string,
      at: number,
      successorSalt: string | null = null,
    ): Promise<boolean> {
      const row = await database
        .updateTable('openidRecords')
        .set({ consumedAt: at, successorSalt })
        .where('idHash', '=', hashOf(kind, id))
        .where('consumedAt', 'is', null)
        .returning('idHash')
        .executeTakeFirst()
      return row !== undefined
    },

    async deleteRecord(kind: string, id: string): Promise<void> {
      await database.deleteFrom('openidRecords').where('idHash', '=', hashOf(kind, id)).execute()
    },

    /** Deletes a grant with its codes and tokens. */
    async deleteGrant(grantId: string): Promise<void> {
      await database.deleteFrom('openidRecords').where('grantId', '=', grantId).execute()
    },

    listAuthorizations: (sessionId: string) =>
      database
        .selectFrom('openidAuthorizations')
        .select(['clientId', 'grantId'])
        .where('sessionId', '=', sessionId)
        .execute(),

    /**
     * Sets a session's grant at a client, unless another request was faster. Returns whether it did.
     *
     * @param replaces - the grant that it replaces, if any
     */
    async authorize(
      authorization: Omit<OpenidAuthorizationsTable, 'endedAt' | 'logoutAttempts'>,
      replaces: string | undefined,
    ): Promise<boolean> {
      const { grantId, expiresAt } = authorization
      const row = await database
        .insertInto('openidAuthorizations')
        .values({ ...authorization, logoutAttempts: 0, endedAt: null })
        .onConflict((conflict) =>
          conflict
            .columns(['sessionId', 'clientId'])
            .doUpdateSet({ grantId, expiresAt })
            .where('openidAuthorizations.grantId', '=', replaces ?? ''),
        )
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Enqueues logout notices for sessions that ended since then or whose accounts were locked. */
    async queueLogouts(since: number, at: number): Promise<void> {
      await sql`
        update openid_authorizations set ended_at = ${at}
        where ended_at is null
          and logout_due_at is not null
          and id in (
            select authorizations.id from sessions
            join openid_authorizations as authorizations on authorizations.session_id = sessions.id
            where sessions.ended_at >= ${since}
            union all
            select authorizations.id from identities
            join openid_authorizations as authorizations on authorizations.identity_id = identities.id
            where identities.locked_at >= ${since})`.execute(database)
    },

    /** Enqueues logout notices for all authorizations without an open session. Reads all authorizations. */
    async queueAllLogouts(at: number): Promise<void> {
      await sql`
        update openid_authorizations set ended_at = ${at}
        where ended_at is null
          and logout_due_at is not null
          and not exists (
            select 1 from sessions join identities on identities.id = sessions.identity_id
            where sessions.id = openid_authorizations.session_id
              and sessions.ended_at is null
              and identities.locked_at is null
              and not ${isLockedByDirectory('identities.id', sql`sessions.method = 'provider'`)})`.execute(
        database,
      )
    },

    /** The clients to which notices are due. */
    async listClientsWithDueLogouts(at: number): Promise<readonly string[]> {
      const rows = await database
        .selectFrom('openidAuthorizations')
        .select('clientId')
        .distinct()
        .where('endedAt', 'is not', null)
        .where('logoutDueAt', '<=', at)
        .execute()
      return rows.map(({ clientId }) => clientId)
    },

    /** Due notices to a client, longest overdue first. */
    listDueLogouts: async (
      clientId: string,
      at: number,
      limit: number,
    ): Promise<readonly DueLogout[]> =>
      (await database
        .selectFrom('openidAuthorizations')
        .selectAll()
        .where('clientId', '=', clientId)
        .where('endedAt', 'is not', null)
        .where('logoutDueAt', '<=', at)
        .orderBy('logoutDueAt')
        .limit(limit)
        .execute()) as DueLogout[], // The query excludes null.

    /** How many notices are waiting for a retry, counted up to `limit`. */
    async countRepeatedLogouts(at: number, limit: number): Promise<number> {
      const { count } = await database
        .selectFrom((query) =>
          // Only notices that were already sent are due in the future.
          query
            .selectFrom('openidAuthorizations')
            .select('id')
            .where('endedAt', 'is not', null)
            .where('logoutDueAt', '>', at)
            .limit(limit)
            .as('waiting'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    /** Claims a notice, so that no other node sends it too. It is due again at `dueAt`, unless it is deleted. */
    async claimLogout({ id, logoutDueAt }: DueLogout, dueAt: number): Promise<boolean> {
      const row = await database
        .updateTable('openidAuthorizations')
        .set(({ eb }) => ({ logoutDueAt: dueAt, logoutAttempts: eb('logoutAttempts', '+', 1) }))
        .where('id', '=', id)
        .where('logoutDueAt', '=', logoutDueAt)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async deleteAuthorization(id: string): Promise<void> {
      await database.deleteFrom('openidAuthorizations').where('id', '=', id).execute()
    },
  }
}

/** A notice to a client that a session has ended. */
export interface DueLogout extends OpenidAuthorizationsTable {
  readonly logoutDueAt: number
}
