import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'
import type { AliasesTable, IdentitiesTable } from '../database/tables.ts'

export type IdentityRow = Selectable<IdentitiesTable>

/** A way to reach an identity. */
export type AliasRow = Selectable<AliasesTable>

export interface NewIdentity {
  readonly email: string
  readonly organizationCode: string
  readonly at: number
  readonly profileType?: IdentitiesTable['profile_type']
  readonly passwordHash?: string | null
  readonly passwordExpiredAt?: number | null
  readonly lockedAt?: number | null
  readonly loginRedirect?: string | null
}

const COLUMNS = [
  'id',
  'email',
  'organization_code',
  'profile_type',
  'password_hash',
  'password_expired_at',
  'locked_at',
  'login_redirect',
  'email_factor_at',
  'credential_version',
  'created_at',
  'updated_at',
] as const

const byEmail = prepared((database, { email }: { email: string }) =>
  database.selectFrom('identities').select(COLUMNS).where('email', '=', email),
)

const byId = prepared((database, { id }: { id: string }) =>
  database.selectFrom('identities').select(COLUMNS).where('id', '=', id),
)

const lockRow = prepared((database, { id }: { id: string }) =>
  database
    .updateTable('identities')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .returning(COLUMNS),
)

const aliases = prepared((database, { identityId }: { identityId: string }) =>
  database
    .selectFrom('aliases')
    .select(['id', 'identity_id', 'type', 'value', 'verified_at', 'created_at'])
    .where('identity_id', '=', identityId)
    .orderBy('created_at')
    .orderBy('id'),
)

export function identitiesStore(database: Database) {
  return {
    findByEmail: async (email: string): Promise<IdentityRow | undefined> =>
      (await byEmail(database, { email }))[0],
    findById: async (id: string): Promise<IdentityRow | undefined> =>
      (await byId(database, { id }))[0],

    listAliases: (identityId: string): Promise<AliasRow[]> => aliases(database, { identityId }),

    /** Adds an identity with its verified e-mail alias. Returns undefined if the address already has one. */
    async insert(identity: NewIdentity): Promise<IdentityRow | undefined> {
      const added = await database
        .insertInto('identities')
        .values({
          id: randomUUID(),
          email: identity.email,
          organization_code: identity.organizationCode,
          profile_type: identity.profileType ?? 'CUSTOMER',
          password_hash: identity.passwordHash ?? null,
          password_expired_at: identity.passwordExpiredAt ?? null,
          locked_at: identity.lockedAt ?? null,
          login_redirect: identity.loginRedirect ?? null,
          credential_version: 0,
          created_at: identity.at,
          updated_at: identity.at,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (added === undefined) return undefined
      await database
        .insertInto('aliases')
        .values({
          id: randomUUID(),
          identity_id: added.id,
          type: 'Email',
          value: identity.email,
          verified_at: identity.at,
          created_at: identity.at,
        })
        .execute()
      return added
    },

    /**
     * Locks the row until the transaction ends and returns its current state. Every transaction locks this row first,
     * which rules out deadlocks.
     */
    findForUpdate: async (id: string): Promise<IdentityRow | undefined> =>
      (await lockRow(database, { id }))[0],

    /** Locks the row and invalidates every login in progress. */
    async raiseCredentialVersion(id: string): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({ credential_version: eb('credential_version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },

    async setPassword(change: { id: string; passwordHash: string; at: number }): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({
          password_hash: change.passwordHash,
          password_expired_at: null,
          updated_at: change.at,
          credential_version: eb('credential_version', '+', 1),
        }))
        .where('id', '=', change.id)
        .execute()
    },

    /** Changes the address and its alias. Returns `false` if another identity has the new address. */
    async changeEmail(change: {
      id: string
      from: string
      email: string
      at: number
    }): Promise<boolean> {
      if (await this.findByEmail(change.email)) return false
      await database
        .updateTable('identities')
        .set({ email: change.email, updated_at: change.at })
        .where('id', '=', change.id)
        .execute()
      await database
        .updateTable('aliases')
        .set({ value: change.email, verified_at: change.at })
        .where('identity_id', '=', change.id)
        .where('type', '=', 'Email')
        .where('value', '=', change.from)
        .execute()
      return true
    },

    /** Switches the e-mailed second factor on or off. Returns whether that changed anything. */
    async setEmailFactor(id: string, since: number | null): Promise<boolean> {
      const row = await database
        .updateTable('identities')
        .set({ email_factor_at: since })
        .where('id', '=', id)
        .where('email_factor_at', since === null ? 'is not' : 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns the new alias's ID. */
    async insertAlias(alias: {
      identityId: string
      type: AliasesTable['type']
      value: string
      verifiedAt: number | null
      at: number
    }): Promise<string> {
      const id = randomUUID()
      await database
        .insertInto('aliases')
        .values({
          id,
          identity_id: alias.identityId,
          type: alias.type,
          value: alias.value,
          verified_at: alias.verifiedAt,
          created_at: alias.at,
        })
        .execute()
      return id
    },

    async verifyAlias(id: string, at: number): Promise<void> {
      await database
        .updateTable('aliases')
        .set({ verified_at: at })
        .where('id', '=', id)
        .where('verified_at', 'is', null)
        .execute()
    },

    /** Removes all aliases of a type, or the selected ones. Returns how many of them were verified. */
    async deleteAliases(
      identityId: string,
      type: 'Phone' | 'TOTP',
      selection: { readonly id?: string; readonly unverified?: true } = {},
    ): Promise<number> {
      const rows = await database
        .deleteFrom('aliases')
        .where('identity_id', '=', identityId)
        .where('type', '=', type)
        .$if(selection.id !== undefined, (query) => query.where('id', '=', selection.id ?? ''))
        .$if(selection.unverified === true, (query) => query.where('verified_at', 'is', null))
        .returning('verified_at')
        .execute()
      return rows.filter(({ verified_at }) => verified_at !== null).length
    },

    async lock(id: string, at: number): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({
          locked_at: at,
          updated_at: at,
          credential_version: eb('credential_version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    },
  }
}
