import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { SessionsTable } from '../database/tables.ts'

const SESSIONS_SHOWN = 100

const open = prepared((database, { id, at }: { id: string; at: number }) =>
  database
    .selectFrom('sessions')
    .innerJoin('identities', 'identities.id', 'sessions.identity_id')
    // A phone that is being added is no way to reach anybody yet.
    .leftJoin('aliases', (join) =>
      join
        .onRef('aliases.identity_id', '=', 'identities.id')
        .on('aliases.verified_at', 'is not', null),
    )
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
      'sessions.wallet_locked_at',
      'sessions.wallet_used_at',
      'identities.email',
      'identities.organization_code',
      'identities.profile_type',
      'identities.password_hash',
      'identities.password_expired_at',
      'identities.email_factor_at',
      'identities.updated_at',
      'aliases.id as alias_id',
      'aliases.type as alias_type',
      'aliases.value as alias_value',
      'aliases.created_at as alias_created_at',
    ])
    .where('sessions.id', '=', id)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', at)
    .where('identities.locked_at', 'is', null),
)

const add = prepared((database, session: SessionsTable) =>
  database.insertInto('sessions').values({
    id: session.id,
    identity_id: session.identity_id,
    secret_hash: session.secret_hash,
    method: session.method,
    second_method: session.second_method,
    organization_code: session.organization_code,
    network: session.network,
    user_agent: session.user_agent,
    created_at: session.created_at,
    expires_at: session.expires_at,
    ended_at: session.ended_at,
    confirmed_at: session.confirmed_at,
    wallet_address: session.wallet_address,
    group_policy_address: session.group_policy_address,
    wallet_locked_at: session.wallet_locked_at,
    wallet_used_at: session.wallet_used_at,
  }),
)

const extend = prepared((database, { id, expiresAt }: { id: string; expiresAt: number }) =>
  database
    .updateTable('sessions')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id'),
)

/** Sign-ins that last. */
export function sessionsStore(database: Database) {
  return {
    async add(session: SessionsTable): Promise<void> {
      await add(database, session)
    },

    /** A session that is neither ended nor over, of somebody who is not locked, with what a request needs of both. */
    async open(id: string, at: number) {
      const rows = await open(database, { id, at })
      const [session] = rows
      if (session === undefined) return undefined
      const aliases = rows.flatMap(({ alias_id, alias_type, alias_value, alias_created_at }) =>
        alias_id === null ||
        alias_type === null ||
        alias_value === null ||
        alias_created_at === null
          ? []
          : { id: alias_id, type: alias_type, value: alias_value, created_at: alias_created_at },
      )
      // A database sorts whole rows, and takes longer for it than to find them.
      aliases.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      // The row is ours; to copy it took as long as to read it.
      return Object.assign(session, { aliases })
    },

    /** Lets a session last longer, unless it ended meanwhile. */
    extend: async (id: string, expiresAt: number): Promise<boolean> =>
      (await extend(database, { id, expiresAt })).length > 0,

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

    /** Records that the person proved again who they are, which also opens the hosted wallet. */
    async confirm(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ confirmed_at: at, wallet_locked_at: null })
        .where('id', '=', id)
        .execute()
    },

    async lockWallet(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ wallet_locked_at: at })
        .where('id', '=', id)
        .execute()
    },

    /** Records that the hosted wallet was used; one that was locked meanwhile stays locked. */
    async useWallet(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ wallet_used_at: at })
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
