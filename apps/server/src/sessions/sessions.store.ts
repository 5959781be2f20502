import { ALL_ORGANIZATIONS } from '@portico/contracts/admin/permissions'
import { IMPERSONATION_MS, JWT_LIFETIME_S, MAX_SESSION_MS } from '@portico/contracts/limits'
import { rolesWith } from '@portico/rules/operator-permissions'
import { sql } from 'kysely'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'
import type {
  AliasesTable,
  ConfirmationProof,
  IdentitiesTable,
  SessionsTable,
} from '../database/tables.ts'
import { isLockedByDirectory } from '../scim/scim.ts'

const SESSIONS_SHOWN = 100
export const IDENTITIES_AT_ONCE = 500
const LIFETIME_MS = JWT_LIFETIME_S * 1000
/** Roles whose operators may view people's pages. */
const VIEWING_ROLES = rolesWith('people.impersonate')

export function sessionsStore(database: Database) {
  /**
   * Finds, by session, the operators who may still view the person's pages: their own session has not ended, they are not
   * locked, they have a role for the person's organization, and the person has no role.
   */
  async function findOperators(
    ids: readonly string[],
    at: number,
  ): Promise<ReadonlyMap<string, ViewingOperator>> {
    const { rows } = await sql<ViewingOperator & { readonly viewed: string }>`select
        sessions.id as viewed, operators.id, operators.email, own.id as session_id, own.secret_hash
      from sessions
      join identities on identities.id = sessions.identity_id
      join sessions as own on own.id = sessions.operator_session_id
      join identities as operators on operators.id = own.identity_id and operators.id = sessions.operator_id
      where sessions.id in (${sql.join(ids)})
        and own.ended_at is null
        and own.created_at > ${at - MAX_SESSION_MS}
        and operators.locked_at is null
        and exists (
          select 1 from identity_roles
          where identity_roles.identity_id = operators.id
            and identity_roles.role in (${sql.join(VIEWING_ROLES)})
            and identity_roles.organization_code in (${ALL_ORGANIZATIONS}, identities.organization_code))
        and not exists (select 1 from identity_roles where identity_roles.identity_id = identities.id)
        and not ${isLockedByDirectory('operators.id')}`.execute(database)
    return new Map(rows.map(({ viewed, ...operator }) => [viewed, operator]))
  }

  return {
    async insert(session: SessionsTable): Promise<void> {
      await database.insertInto('sessions').values(session).execute()
    },

    /**
     * Finds the sessions that have neither ended nor expired, with the data of their identities. Sessions of identities that
     * are locked or have left their organization's directory are excluded, and so are those whose operator may no longer view
     * the person's pages.
     */
    async findOpen(
      ids: readonly string[],
      at: number,
    ): Promise<ReadonlyMap<string, OpenSessionRow>> {
      // Plain SQL, because this query runs on every call and Kysely takes longer to build it than the database to run it.
      const { rows } = await sql<SessionAndAlias>`select
          sessions.id, sessions.identity_id, sessions.secret_hash, sessions.method, sessions.second_method,
          sessions.organization_code as login_organization_code, sessions.created_at,
          sessions.confirmed_at, sessions.confirmed_by, sessions.expires_at, sessions.wallet_address,
          sessions.group_policy_address, sessions.wallet_locked_at, sessions.wallet_used_at, sessions.operator_id,
          identities.email, identities.organization_code, identities.profile_type, identities.password_hash,
          identities.password_expired_at, identities.email_factor_at, identities.updated_at,
          identities.email_changed_at, identities.email_changed_in, identities.email_verified_at,
          aliases.id as alias_id, aliases.type as alias_type, aliases.value as alias_value,
          aliases.created_at as alias_created_at
        from sessions
        join identities on identities.id = sessions.identity_id
        left join aliases on aliases.identity_id = identities.id and aliases.verified_at is not null
        where sessions.id in (${sql.join(ids)})
          and sessions.ended_at is null
          and sessions.expires_at > ${at}
          and sessions.expires_at <= case when sessions.operator_id is null
            then cast(${latestExpiry(at, LIFETIME_MS)} as bigint)
            else cast(${latestExpiry(at, IMPERSONATION_MS)} as bigint) end
          and identities.locked_at is null
          and not ${isLockedByDirectory('identities.id', sql`sessions.method = 'provider'`)}`.execute(
        database,
      )
      const sessions = new Map<string, OpenSessionRow>()
      for (const row of rows) {
        const session = sessions.get(row.id) ?? { ...row, aliases: [], operator: undefined }
        sessions.set(row.id, session)
        const { aliasId: id, aliasType: type, aliasValue: value, aliasCreatedAt: createdAt } = row
        if (id === null || type === null || value === null || createdAt === null) continue
        session.aliases.push({ id, type, value, createdAt })
      }
      const viewed = rows.filter(({ operatorId }) => operatorId !== null).map(({ id }) => id)
      if (viewed.length > 0) {
        const operators = await findOperators(viewed, at)
        for (const id of viewed) {
          const [session, operator] = [sessions.get(id), operators.get(id)]
          if (session && operator) session.operator = operator
          else sessions.delete(id)
        }
      }
      // Sorted here: the database would sort whole rows, which takes longer than finding them.
      for (const { aliases } of sessions.values()) {
        aliases.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      }
      return sessions
    },

    /** Extends a session, but not one of an operator. Returns whether it was still open. */
    async updateExpiry(id: string, expiresAt: number): Promise<boolean> {
      const row = await database
        .updateTable('sessions')
        .set({ expiresAt })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .where('operatorId', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Stores the account a session acts as and extends the session. Returns whether it was still open. */
    async updateChoice(
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
        .where('operatorId', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Switches an identity's sessions that act as one wallet to another. */
    async updateWallet(identityId: string, from: string, to: string): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletAddress: to })
        .where('identityId', '=', identityId)
        .where('walletAddress', '=', from)
        .execute()
    },

    /** Makes an identity's sessions that act for a group with this wallet stop acting for it. */
    async clearGroup(
      identityId: string,
      chosen: { readonly walletAddress: string; readonly groupPolicyAddress: string },
    ): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ groupPolicyAddress: null })
        .where('identityId', '=', identityId)
        .where('walletAddress', '=', chosen.walletAddress)
        .where('groupPolicyAddress', '=', chosen.groupPolicyAddress)
        .execute()
    },

    /** Ends a session. Returns whether it had not ended before. */
    async end(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('sessions')
        .set({ endedAt: at })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * The sessions in which operators view a person's pages that are not marked as ended: those of one operator, those of
     * people, or all that have expired. `endedAt` is when they expired or the operator's own session ended, at most `at`.
     */
    async listViews(
      at: number,
      of?: { readonly operatorId: string } | { readonly identityIds: readonly string[] },
    ) {
      const rows = await database
        .selectFrom('sessions')
        .leftJoin('sessions as own', 'own.id', 'sessions.operatorSessionId')
        .select([
          'sessions.id',
          'sessions.identityId',
          'sessions.operatorId',
          'sessions.organizationCode',
          'sessions.network',
          'sessions.expiresAt',
          'own.endedAt as ownEndedAt',
        ])
        .where('sessions.operatorId', 'is not', null)
        .where('sessions.endedAt', 'is', null)
        .where(({ eb }) =>
          of === undefined
            ? eb('sessions.expiresAt', '<=', at)
            : 'operatorId' in of
              ? eb('sessions.operatorId', '=', of.operatorId)
              : eb('sessions.identityId', 'in', of.identityIds),
        )
        .$narrowType<{ operatorId: string }>()
        .execute()
      return rows.map(({ expiresAt, ownEndedAt, ...row }) => ({
        ...row,
        endedAt: Math.min(at, expiresAt, ownEndedAt ?? at),
      }))
    },

    /** The account that the identity's newest session acts as. */
    async findLatestChoice(
      identityId: string,
    ): Promise<Pick<SessionsTable, 'walletAddress' | 'groupPolicyAddress'> | undefined> {
      return database
        .selectFrom('sessions')
        .select(['walletAddress', 'groupPolicyAddress'])
        .where('identityId', '=', identityId)
        .where('operatorId', 'is', null)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst()
    },

    /** Open sessions of an identity, newest first. */
    listOpen: (identityId: string, at: number) =>
      database
        .selectFrom('sessions')
        .select(['id', 'userAgent', 'network', 'method', 'createdAt'])
        .where('identityId', '=', identityId)
        .where('endedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where(({ eb }) =>
          eb.or([
            eb('expiresAt', '<=', latestExpiry(at, LIFETIME_MS)),
            eb.and([
              eb('operatorId', 'is not', null),
              eb('expiresAt', '<=', latestExpiry(at, IMPERSONATION_MS)),
            ]),
          ]),
        )
        .orderBy('createdAt', 'desc')
        .limit(SESSIONS_SHOWN)
        .execute(),

    /** Records a confirmation of the user's identity, which also unlocks the hosted wallet. */
    async updateConfirmed(id: string, by: ConfirmationProof, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ confirmedAt: at, confirmedBy: by, walletLockedAt: null })
        .where('id', '=', id)
        .execute()
    },

    async updateWalletLocked(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletLockedAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** Records a use of the hosted wallet. A wallet locked in the meantime stays locked. */
    async updateWalletUsed(id: string, at: number): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ walletUsedAt: at })
        .where('id', '=', id)
        .execute()
    },

    /** When an operator last used a session; null before the first use. */
    async findOperatorUse(id: string): Promise<number | null> {
      const row = await database
        .selectFrom('sessions')
        .select('operatorUsedAt')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.operatorUsedAt ?? null
    },

    /** Records a use by an operator. Returns false if the session has ended, or if its last use is not after `usedAfter`. */
    async updateOperatorUse(
      id: string,
      { at, usedAfter }: { readonly at: number; readonly usedAfter: number | undefined },
    ): Promise<boolean> {
      const row = await database
        .updateTable('sessions')
        .set({ operatorUsedAt: at })
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .$if(usedAfter !== undefined, (query) =>
          query.where('operatorUsedAt', '>', usedAfter ?? at),
        )
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
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

    /** Ends every session of identities. */
    async endAll(identityIds: readonly string[], at: number): Promise<void> {
      for (let from = 0; from < identityIds.length; from += IDENTITIES_AT_ONCE) {
        await database
          .updateTable('sessions')
          .set({ endedAt: at })
          .where('identityId', 'in', identityIds.slice(from, from + IDENTITIES_AT_ONCE))
          .where('endedAt', 'is', null)
          .execute()
      }
    },

    /** Ends an identity's sessions that began at an identity provider, except one. */
    async endOfProviders(identityId: string, at: number, exceptId?: string): Promise<void> {
      await database
        .updateTable('sessions')
        .set({ endedAt: at })
        .where('identityId', '=', identityId)
        .where('method', '=', 'provider')
        .where('endedAt', 'is', null)
        .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId ?? ''))
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

/** The operator of a session in which an operator views a person's pages. */
export interface ViewingOperator {
  readonly id: string
  readonly email: string
  /** The operator's own session, which must stay open for the viewing session. */
  readonly sessionId: string
  readonly secretHash: string
}

type SessionAlias = Pick<AliasesTable, 'id' | 'type' | 'value' | 'createdAt'>

/** A session with the data of its identity that requests need. */
export interface OpenSessionRow
  extends Pick<
      SessionsTable,
      | 'id'
      | 'identityId'
      | 'secretHash'
      | 'method'
      | 'secondMethod'
      | 'createdAt'
      | 'confirmedAt'
      | 'confirmedBy'
      | 'expiresAt'
      | 'walletAddress'
      | 'groupPolicyAddress'
      | 'walletLockedAt'
      | 'walletUsedAt'
    >,
    Pick<
      IdentitiesTable,
      | 'email'
      | 'organizationCode'
      | 'profileType'
      | 'passwordHash'
      | 'passwordExpiredAt'
      | 'emailFactorAt'
      | 'emailChangedAt'
      | 'emailChangedIn'
      | 'emailVerifiedAt'
      | 'updatedAt'
    > {
  /** The organization on whose page the user logged in. */
  readonly loginOrganizationCode: string
  /** The verified aliases, oldest first. An unverified phone cannot receive codes yet. */
  readonly aliases: SessionAlias[]
  /** The operator who views the person's pages in this session, if one does. */
  operator: ViewingOperator | undefined
}

/** A session with one of its identity's aliases, if there is any. */
interface SessionAndAlias extends Omit<OpenSessionRow, 'aliases' | 'operator'> {
  readonly operatorId: string | null
  readonly aliasId: string | null
  readonly aliasType: AliasesTable['type'] | null
  readonly aliasValue: string | null
  readonly aliasCreatedAt: number | null
}
