import { JWT_LIFETIME_S } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { AliasesTable, ConfirmationProof, SessionsTable } from '../database/tables.ts'

const SESSIONS_SHOWN = 100
const LIFETIME_MS = JWT_LIFETIME_S * 1000

/** Sessions that are asked for together at most. */
export const SESSIONS_TOGETHER = 32

/** How many a statement asks for. Statements are few: one that has room to spare asks for a session more than once. */
const SIZES = [1, 2, 4, 8, 16, SESSIONS_TOGETHER] as const

/** What is asked for: identifiers by their number, the time, and the latest expiry that is believed. */
type Asked = Readonly<Record<number, string>> & { readonly at: number; readonly latest: number }

const opened = SIZES.map((size) => ({
  size,
  find: prepared((database, given: Asked) =>
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
        'sessions.confirmed_by',
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
      .where(
        'sessions.id',
        'in',
        Array.from({ length: size }, (_, index) => given[index] ?? ''),
      )
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', given.at)
      .where('sessions.expires_at', '<=', given.latest)
      .where('identities.locked_at', 'is', null),
  ),
}))

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
    confirmed_by: session.confirmed_by,
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

    /** Of these sessions those that are neither ended nor over nor of somebody who is locked, with what a request needs. */
    async opened(ids: readonly string[], at: number): Promise<ReadonlyMap<string, OpenSessionRow>> {
      const statement = opened.find(({ size }) => size >= ids.length)
      if (statement === undefined) throw new Error(`${ids.length} sessions are asked for at once`)
      const asked: Record<number, string> = {}
      for (let index = 0; index < statement.size; index += 1) {
        asked[index] = ids[index % ids.length] ?? ''
      }
      const sessions = new Map<string, OpenSessionRow>()
      for (const row of await statement.find(database, {
        ...asked,
        at,
        latest: latestExpiry(at, LIFETIME_MS),
      })) {
        // A row is ours; to copy it took as long as to read it.
        const session =
          sessions.get(row.id) ?? Object.assign(row, { aliases: [] as SessionAlias[] })
        sessions.set(row.id, session)
        const { alias_id: id, alias_type: type, alias_value: value, alias_created_at: since } = row
        if (id === null || type === null || value === null || since === null) continue
        session.aliases.push({ id, type, value, created_at: since })
      }
      // A database sorts whole rows, and takes longer for it than to find them.
      for (const { aliases } of sessions.values()) {
        aliases.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      }
      return sessions
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
        .where('expires_at', '<=', latestExpiry(at, LIFETIME_MS))
        .orderBy('created_at', 'desc')
        .limit(SESSIONS_SHOWN)
        .execute(),

    /** Records that the person proved again who they are, which also opens the hosted wallet. */
    async confirm(id: string, by: ConfirmationProof, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ confirmed_at: at, confirmed_by: by, wallet_locked_at: null })
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

type SessionAlias = Pick<AliasesTable, 'id' | 'type' | 'value' | 'created_at'>

/** A session with what a request needs of its identity. */
export type OpenSessionRow = Awaited<ReturnType<(typeof opened)[number]['find']>>[number] & {
  readonly aliases: SessionAlias[]
}
