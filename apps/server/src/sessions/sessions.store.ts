import { JWT_LIFETIME_S } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { AliasesTable, ConfirmationProof, SessionsTable } from '../database/tables.ts'

const SESSIONS_SHOWN = 100
const LIFETIME_MS = JWT_LIFETIME_S * 1000

/** The most sessions that one query looks up. */
export const SESSION_BATCH_MAXIMUM = 32

/** Batch sizes with a prepared statement each. A smaller batch fills the statement by repeating its IDs. */
const BATCH_SIZES = [1, 2, 4, 8, 16, SESSION_BATCH_MAXIMUM] as const

/** Parameters of the query: session IDs by index, the current time, and the latest plausible expiry. */
type LookupParameters = Readonly<Record<number, string>> & {
  readonly at: number
  readonly latest: number
}

const lookups = BATCH_SIZES.map((size) => ({
  size,
  find: prepared((database, parameters: LookupParameters) =>
    database
      .selectFrom('sessions')
      .innerJoin('identities', 'identities.id', 'sessions.identity_id')
      // An unverified phone cannot receive codes yet.
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
        Array.from({ length: size }, (_, index) => parameters[index] ?? ''),
      )
      .where('sessions.ended_at', 'is', null)
      .where('sessions.expires_at', '>', parameters.at)
      .where('sessions.expires_at', '<=', parameters.latest)
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

export function sessionsStore(database: Database) {
  return {
    async insert(session: SessionsTable): Promise<void> {
      await add(database, session)
    },

    /**
     * Finds the sessions that have neither ended nor expired and are not of a locked identity, with what a request
     * needs.
     */
    async findOpen(
      ids: readonly string[],
      at: number,
    ): Promise<ReadonlyMap<string, OpenSessionRow>> {
      const statement = lookups.find(({ size }) => size >= ids.length)
      if (statement === undefined)
        throw new Error(`A batch of ${ids.length} sessions exceeds ${SESSION_BATCH_MAXIMUM}`)
      const batch: Record<number, string> = {}
      for (let index = 0; index < statement.size; index += 1) {
        batch[index] = ids[index % ids.length] ?? ''
      }
      const sessions = new Map<string, OpenSessionRow>()
      for (const row of await statement.find(database, {
        ...batch,
        at,
        latest: latestExpiry(at, LIFETIME_MS),
      })) {
        // The row is modified in place: copying it took as long as reading it.
        const session =
          sessions.get(row.id) ?? Object.assign(row, { aliases: [] as SessionAlias[] })
        sessions.set(row.id, session)
        const { alias_id: id, alias_type: type, alias_value: value, alias_created_at: since } = row
        if (id === null || type === null || value === null || since === null) continue
        session.aliases.push({ id, type, value, created_at: since })
      }
      // Sorted here: the database would sort whole rows, which takes longer than finding them.
      for (const { aliases } of sessions.values()) {
        aliases.sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      }
      return sessions
    },

    /** Extends a session. Returns whether it was still open. */
    extend: async (id: string, expiresAt: number): Promise<boolean> =>
      (await extend(database, { id, expiresAt })).length > 0,

    /** Stores the account a session acts as and extends the session. Returns whether it was still open. */
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

    /** Makes the identity's sessions that act as one wallet act as another. */
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

    /** Open sessions of an identity, newest first. */
    listOpen: (identityId: string, at: number) =>
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

    /** Records a confirmation of the user's identity, which also unlocks the hosted wallet. */
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

    /** Records a use of the hosted wallet. A wallet locked meanwhile stays locked. */
    async useWallet(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ wallet_used_at: at })
        .where('id', '=', id)
        .execute()
    },

    /** Ends a session if it belongs to the identity. */
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

export type OpenSessionRow = Awaited<ReturnType<(typeof lookups)[number]['find']>>[number] & {
  readonly aliases: SessionAlias[]
}
