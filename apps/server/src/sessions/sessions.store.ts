import type { Insertable } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { SessionsTable } from '../database/tables.ts'

const SESSIONS_SHOWN = 100

/** Sign-ins that last. */
export function sessionsStore(database: Database) {
  const open = prepared(database, (id: string, at: number) =>
    database
      .selectFrom('sessions')
      .innerJoin('identities', 'identities.id', 'sessions.identity_id')
      .select([
        'sessions.id',
        'sessions.identity_id',
        'sessions.secret_hash',
        'sessions.method',
        'sessions.created_at',
        'sessions.confirmed_at',
        'sessions.expires_at',
        'sessions.wallet_address',
        'sessions.group_policy_address',
        'identities.email',
        'identities.organization_code',
        'identities.profile_type',
        'identities.password_hash',
        'identities.password_expired_at',
        'identities.email_factor_at',
        'identities.updated_at',
      ])
      .where('sessions.id', '=', id)
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', at)
      .where('identities.locked_at', 'is', null),
  )

  return {
    async add(session: Insertable<SessionsTable>): Promise<void> {
      await database.insertInto('sessions').values(session).execute()
    },

    /** A session that is neither ended nor over, of somebody who is not locked, with what a request needs of both. */
    open: async (id: string, at: number) => (await open(id, at))[0],

    /** Lets a session last longer, unless it ended meanwhile. */
    async extend(id: string, expiresAt: number): Promise<boolean> {
      const row = await database
        .updateTable('sessions')
        .set({ expires_at: expiresAt })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Records which account a session acts as, and lets it last longer, unless it ended meanwhile. */
    async choose(
      id: string,
      chosen: {
        walletAddress: string | null
        groupPolicyAddress: string | null
        expiresAt: number
      },
    ): Promise<boolean> {
      const row = await database
        .updateTable('sessions')
        .set({
          wallet_address: chosen.walletAddress,
          group_policy_address: chosen.groupPolicyAddress,
          expires_at: chosen.expiresAt,
        })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Lets the sessions of somebody act as another wallet than they did. */
    async replaceWallet(identityId: string, from: string, to: string): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ wallet_address: to })
        .where('identity_id', '=', identityId)
        .where('wallet_address', '=', from)
        .execute()
    },

    async end(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ ended_at: at })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute()
    },

    /** Open sessions of somebody, the newest first. */
    ofIdentity: (identityId: string, at: number) =>
      database
        .selectFrom('sessions')
        .select(['id', 'user_agent', 'network', 'method', 'created_at'])
        .where('identity_id', '=', identityId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', at)
        .orderBy('created_at', 'desc')
        .limit(SESSIONS_SHOWN)
        .execute(),

    /** Records that the person proved again who they are. */
    async confirm(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ confirmed_at: at })
        .where('id', '=', id)
        .execute()
    },

    /** Ends a session if it is theirs. */
    async endOwn(identityId: string, id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ ended_at: at })
        .where('id', '=', id)
        .where('identity_id', '=', identityId)
        .where('ended_at', 'is', null)
        .execute()
    },

    async endOthers(identityId: string, exceptId: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ ended_at: at })
        .where('identity_id', '=', identityId)
        .where('id', '!=', exceptId)
        .where('ended_at', 'is', null)
        .execute()
    },
  }
}

/** A session with what a request needs of its identity. */
export type OpenSessionRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof sessionsStore>['open']>>
>
