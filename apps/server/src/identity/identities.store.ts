import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type {
  AliasesTable,
  FactorOrigin,
  FactorProof,
  IdentitiesTable,
} from '../database/tables.ts'

export type IdentityRow = Selectable<IdentitiesTable>

/** An address, phone or authenticator app of an identity. */
export type AliasRow = Selectable<AliasesTable>

export interface NewIdentity {
  readonly email: string
  readonly organizationCode: string
  readonly at: number
  readonly profileType?: IdentitiesTable['profileType']
  readonly passwordHash?: string | null
  readonly passwordExpiredAt?: number | null
  readonly lockedAt?: number | null
  readonly loginRedirect?: string | null
  /** Only if a mailed code proved the address. */
  readonly emailVerifiedAt?: number
}

const COLUMNS = [
  'id',
  'email',
  'organizationCode',
  'profileType',
  'passwordHash',
  'passwordExpiredAt',
  'lockedAt',
  'loginRedirect',
  'emailFactorAt',
  'credentialVersion',
  'givenName',
  'familyName',
  'foreignPasswordAt',
  'passwordSetAt',
  'passwordSetIn',
  'passwordProvedBy',
  'emailChangedAt',
  'emailChangedIn',
  'emailVerifiedAt',
  'createdAt',
  'updatedAt',
] as const

export function identitiesStore(database: Database) {
  return {
    findByEmail: (email: string): Promise<IdentityRow | undefined> =>
      database
        .selectFrom('identities')
        .select(COLUMNS)
        .where('email', '=', email)
        .executeTakeFirst(),

    findById: (id: string): Promise<IdentityRow | undefined> =>
      database.selectFrom('identities').select(COLUMNS).where('id', '=', id).executeTakeFirst(),

    listAliases: (identityId: string): Promise<AliasRow[]> =>
      database
        .selectFrom('aliases')
        .select([
          'id',
          'identityId',
          'type',
          'value',
          'verifiedAt',
          'createdAt',
          'addedIn',
          'provedBy',
        ])
        .where('identityId', '=', identityId)
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),

    /** Adds an identity with its e-mail alias, which can receive codes. Returns undefined if the address already has one. */
    async insert(identity: NewIdentity): Promise<IdentityRow | undefined> {
      const added = await database
        .insertInto('identities')
        .values({
          id: randomUUID(),
          email: identity.email,
          organizationCode: identity.organizationCode,
          profileType: identity.profileType ?? 'CUSTOMER',
          passwordHash: identity.passwordHash ?? null,
          passwordExpiredAt: identity.passwordExpiredAt ?? null,
          lockedAt: identity.lockedAt ?? null,
          loginRedirect: identity.loginRedirect ?? null,
          emailVerifiedAt: identity.emailVerifiedAt ?? null,
          credentialVersion: 0,
          createdAt: identity.at,
          updatedAt: identity.at,
        })
        .onConflict((conflict) => conflict.column('email').doNothing())
        .returningAll()
        .executeTakeFirst()
      if (added === undefined) return undefined
      const { email: value, at } = identity
      await this.insertAlias({ identityId: added.id, type: 'Email', value, verifiedAt: at, at })
      return added
    },

    /**
     * Locks the row until the transaction ends and returns its current state. Every transaction locks this row first, and
     * no other identity's, which rules out deadlocks.
     */
    findForUpdate: (id: string): Promise<IdentityRow | undefined> =>
      database
        .updateTable('identities')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst(),

    /** Locks the row and invalidates every login in progress. */
    async incrementCredentialVersion(id: string): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({ credentialVersion: eb('credentialVersion', '+', 1) }))
        .where('id', '=', id)
        .execute()
    },

    async updatePassword(change: {
      id: string
      passwordHash: string
      at: number
      sessionId?: string
      provedBy?: FactorProof
    }): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({
          passwordHash: change.passwordHash,
          passwordExpiredAt: null,
          foreignPasswordAt: null,
          passwordSetAt: change.at,
          passwordSetIn: change.sessionId ?? null,
          passwordProvedBy: change.provedBy ?? null,
          updatedAt: change.at,
          credentialVersion: eb('credentialVersion', '+', 1),
        }))
        .where('id', '=', change.id)
        .execute()
    },

    /** Whether any account still has another product's password hash. */
    async hasForeignPasswords(): Promise<boolean> {
      const row = await database
        .selectFrom('identities')
        .select('id')
        .where('foreignPasswordAt', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Replaces another product's hash with our hash of the same password, unless the password has changed. */
    async replaceForeignPassword(change: { id: string; from: string; to: string }): Promise<void> {
      await database
        .updateTable('identities')
        .set({ passwordHash: change.to, foreignPasswordAt: null })
        .where('id', '=', change.id)
        .where('passwordHash', '=', change.from)
        .execute()
    },

    /** Stores that a code mailed to this address was redeemed, unless the address has been verified or changed since. */
    async updateEmailVerified(id: string, email: string, at: number): Promise<void> {
      await database
        .updateTable('identities')
        .set({ emailVerifiedAt: at })
        .where('id', '=', id)
        .where('email', '=', email)
        .where('emailVerifiedAt', 'is', null)
        .execute()
    },

    /** Changes the address, which a mailed code has proved, and its alias. Returns `false` if another identity has it. */
    async updateEmail(change: {
      id: string
      from: string
      email: string
      at: number
      sessionId: string
    }): Promise<boolean> {
      if (await this.findByEmail(change.email)) return false
      await database
        .updateTable('identities')
        .set({
          email: change.email,
          emailChangedAt: change.at,
          emailChangedIn: change.sessionId,
          emailVerifiedAt: change.at,
          updatedAt: change.at,
        })
        .where('id', '=', change.id)
        .execute()
      await database
        .updateTable('aliases')
        .set({ value: change.email, verifiedAt: change.at })
        .where('identityId', '=', change.id)
        .where('type', '=', 'Email')
        .where('value', '=', change.from)
        .execute()
      return true
    },

    /** Turns the e-mailed second factor on or off. Returns whether that changed anything. */
    async updateEmailFactor(id: string, since: number | null): Promise<boolean> {
      const row = await database
        .updateTable('identities')
        .set({ emailFactorAt: since })
        .where('id', '=', id)
        .where('emailFactorAt', since === null ? 'is not' : 'is', null)
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
      origin?: FactorOrigin
    }): Promise<string> {
      const id = randomUUID()
      await database
        .insertInto('aliases')
        .values({
          id,
          identityId: alias.identityId,
          type: alias.type,
          value: alias.value,
          verifiedAt: alias.verifiedAt,
          createdAt: alias.at,
          ...alias.origin,
        })
        .execute()
      return id
    },

    async updateAliasVerified(id: string, at: number, origin?: FactorOrigin): Promise<void> {
      await database
        .updateTable('aliases')
        .set({ verifiedAt: at, ...origin })
        .where('id', '=', id)
        .where('verifiedAt', 'is', null)
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
        .where('identityId', '=', identityId)
        .where('type', '=', type)
        .$if(selection.id !== undefined, (query) => query.where('id', '=', selection.id ?? ''))
        .$if(selection.unverified === true, (query) => query.where('verifiedAt', 'is', null))
        .returning('verifiedAt')
        .execute()
      return rows.filter(({ verifiedAt }) => verifiedAt !== null).length
    },

    async updateLocked(id: string, at: number): Promise<void> {
      await database
        .updateTable('identities')
        .set(({ eb }) => ({
          lockedAt: at,
          updatedAt: at,
          credentialVersion: eb('credentialVersion', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    },
  }
}
