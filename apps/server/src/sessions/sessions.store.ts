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
      .innerJoin('identities', 'identities.id', 'sessions.identityId')
      // An unverified phone cannot receive codes yet.
      .leftJoin('aliases', (join) =>
        join
          .onRef('aliases.identityId', '=', 'identities.id')
          .on('aliases.verifiedAt', 'is not', null),
      )
      .select([
        'sessions.id',
        'sessions.identityId',
        'sessions.secretHash',
        'sessions.method',
        'sessions.createdAt',
        'sessions.confirmedAt',
        'sessions.confirmedBy',
        'sessions.expiresAt',
        'sessions.walletAddress',
        'sessions.groupPolicyAddress',
        'sessions.walletLockedAt',
        'sessions.walletUsedAt',
        'identities.email',
        'identities.organizationCode',
        'identities.profileType',
        'identities.passwordHash',
        'identities.passwordExpiredAt',
        'identities.emailFactorAt',
        'identities.updatedAt',
        'aliases.id as aliasId',
        'aliases.type as aliasType',
        'aliases.value as aliasValue',
        'aliases.createdAt as aliasCreatedAt',
      ])
      .where(
        'sessions.id',
        'in',
        Array.from({ length: size }, (_, index) => parameters[index] ?? ''),
      )
      .where('sessions.endedAt', 'is', null)
      .where('sessions.expiresAt', '>', parameters.at)
      .where('sessions.expiresAt', '<=', parameters.latest)
      .where('identities.lockedAt', 'is', null),
  ),
}))

const add = prepared((database, session: SessionsTable) =>
  database.insertInto('sessions').values({
    id: session.id,
    identityId: session.identityId,
    secretHash: session.secretHash,
    method: session.method,
    secondMethod: session.secondMethod,
    organizationCode: session.organizationCode,
    network: session.network,
    userAgent: session.userAgent,
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
    endedAt: session.endedAt,
    confirmedAt: session.confirmedAt,
    confirmedBy: session.confirmedBy,
    walletAddress: session.walletAddress,
    groupPolicyAddress: session.groupPolicyAddress,
    walletLockedAt: session.walletLockedAt,
    walletUsedAt: session.walletUsedAt,
  }),
)

const extend = prepared((database, { id, expiresAt }: { id: string; expiresAt: number }) =>
  database
    .updateTable('sessions')
    .set({ expiresAt })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
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
        const { aliasId: id, aliasType: type, aliasValue: value, aliasCreatedAt: since } = row
        if (id === null || type === null || value === null || since === null) continue
        session.aliases.push({ id, type, value, createdAt: since })
      }
      // Sorted here: the database would sort whole rows, which takes longer than finding them.
      for (const { aliases } of sessions.values()) {
        aliases.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
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
          walletAddress: chosen.walletAddress,
          groupPolicyAddress: chosen.groupPolicyAddress,
          expiresAt: chosen.expiresAt,
        })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Makes the identity's sessions that act as one wallet act as another. */
    async replaceWallet(identityId: string, from: string, to: string): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletAddress: to })
        .where('identityId', '=', identityId)
        .where('walletAddress', '=', from)
        .execute()
    },

    async end(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ endedAt: at })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .execute()
    },

    /** Open sessions of an identity, newest first. */
    listOpen: (identityId: string, at: number) =>
      database
        .selectFrom('sessions')
        .select(['id', 'userAgent', 'network', 'method', 'createdAt'])
        .where('identityId', '=', identityId)
        .where('endedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, LIFETIME_MS))
        .orderBy('createdAt', 'desc')
        .limit(SESSIONS_SHOWN)
        .execute(),

    /** Records a confirmation of the user's identity, which also unlocks the hosted wallet. */
    async confirm(id: string, by: ConfirmationProof, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ confirmedAt: at, confirmedBy: by, walletLockedAt: null })
        .where('id', '=', id)
        .execute()
    },

    async lockWallet(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletLockedAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** Records a use of the hosted wallet. A wallet locked meanwhile stays locked. */
    async useWallet(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletUsedAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** Ends a session if it belongs to the identity. */
    async endOwn(identityId: string, id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ endedAt: at })
        .where('id', '=', id)
        .where('identityId', '=', identityId)
        .where('endedAt', 'is', null)
        .execute()
    },

    async endOthers(identityId: string, exceptId: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ endedAt: at })
        .where('identityId', '=', identityId)
        .where('id', '!=', exceptId)
        .where('endedAt', 'is', null)
        .execute()
    },
  }
}

type SessionAlias = Pick<AliasesTable, 'id' | 'type' | 'value' | 'createdAt'>

export type OpenSessionRow = Awaited<ReturnType<(typeof lookups)[number]['find']>>[number] & {
  readonly aliases: SessionAlias[]
}
