import { randomUUID } from 'node:crypto'
import { USER_TYPES, type UserType } from '@portico/contracts/broker'
import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { IdentityProvidersTable, Tables } from '../database/tables.ts'

/** The prefix of a subject that logs in only after the account's owner has entered a mailed code. */
const RETIRED = 'retired '
const RETIRED_PREFIXES = new RegExp(`^(?:${RETIRED}[0-9a-f-]{36} )+`)

/** The provider's identifier for the person, and whether it can log in. */
function readSubject(stored: string): { subject: string; isCurrent: boolean } {
  const subject = stored.replace(RETIRED_PREFIXES, '')
  return { subject, isCurrent: subject === stored }
}

/** The prefix cannot be guessed, so no provider can send such a subject. */
function retire() {
  const prefix = `${RETIRED}${randomUUID()} `
  return ({ ref }: ExpressionBuilder<Tables, 'providerSubjects'>) => ({
    subject: sql<string>`${prefix} || ${ref('subject')}`,
  })
}

export type ProviderRow = Selectable<IdentityProvidersTable>

/** A new provider for its administrator to set up. Its settings are not used before it is enabled. */
export function newProvider(
  { id, organizationCode, userType }: Pick<ProviderRow, 'id' | 'organizationCode' | 'userType'>,
  at: number,
): ProviderRow {
  return {
    id,
    organizationCode,
    userType,
    protocol: 'oidc',
    name: '',
    settings: '{}',
    secret: null,
    attributeMapping: '{}',
    requiredGroup: null,
    directoryUserCount: 0,
    enabledAt: null,
    createdAt: at,
    updatedAt: at,
  }
}

/** Organizations' identity providers, their domains, and their users' accounts. */
export function providersStore(database: Database) {
  const enabled = () =>
    database.selectFrom('identityProviders').selectAll().where('enabledAt', 'is not', null)
  const ofIdentity = (identityId: string) =>
    database
      .selectFrom('providerSubjects')
      .innerJoin('identityProviders', 'identityProviders.id', 'providerSubjects.providerId')
      .where('identityId', '=', identityId)
      .where('enabledAt', 'is not', null)
      .select(['identityProviders.id', 'identityProviders.name', 'identityProviders.userType'])

  return {
    /** The provider that an organization's customers or agents log in with: the most recently enabled one. */
    findEnabled: (organizationCode: string, userType: UserType): Promise<ProviderRow | undefined> =>
      enabled()
        .where('organizationCode', '=', organizationCode)
        .where('userType', '=', userType)
        .orderBy('enabledAt', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** The providers that an organization's users log in with, at most one per type of user. */
    async listEnabledOf(organizationCode: string): Promise<ProviderRow[]> {
      const rows = await enabled()
        .where('organizationCode', '=', organizationCode)
        .orderBy('enabledAt', 'desc')
        .execute()
      return USER_TYPES.flatMap((type) => rows.find(({ userType }) => userType === type) ?? [])
    },

    findEnabledById: (id: string): Promise<ProviderRow | undefined> =>
      enabled().where('id', '=', id).executeTakeFirst(),

    /** Locks the provider's row until the transaction ends. */
    findForUpdate: (id: string): Promise<ProviderRow | undefined> =>
      database
        .updateTable('identityProviders')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst(),

    /** Adds a provider, unless it exists. */
    async insert(provider: Insertable<IdentityProvidersTable>): Promise<void> {
      await database
        .insertInto('identityProviders')
        .values(provider)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    /** The provider to set up for an organization's customers or agents: the enabled one, else the newest. */
    findToSetUp: (organizationCode: string, userType: UserType): Promise<ProviderRow | undefined> =>
      database
        .selectFrom('identityProviders')
        .selectAll()
        .where('organizationCode', '=', organizationCode)
        .where('userType', '=', userType)
        .orderBy(sql`case when enabled_at is null then 0 else 1 end`, 'desc')
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst(),

    findById: (id: string): Promise<ProviderRow | undefined> =>
      database.selectFrom('identityProviders').selectAll().where('id', '=', id).executeTakeFirst(),

    listEnabled: (): Promise<ProviderRow[]> => enabled().execute(),

    async update(
      id: string,
      change: Partial<Omit<Insertable<IdentityProvidersTable>, 'id'>>,
    ): Promise<void> {
      await database.updateTable('identityProviders').set(change).where('id', '=', id).execute()
    },

    async insertDomain(domain: {
      providerId: string
      domain: string
      verifiedAt: number | null
      challenge?: string
    }): Promise<void> {
      await database
        .insertInto('providerDomains')
        .values({ challenge: null, ...domain })
        .onConflict((conflict) => conflict.columns(['providerId', 'domain']).doNothing())
        .execute()
    },

    listDomains: (providerId: string): Promise<Tables['providerDomains'][]> =>
      database
        .selectFrom('providerDomains')
        .selectAll()
        .where('providerId', '=', providerId)
        .orderBy('domain')
        .execute(),

    findDomain: (
      providerId: string,
      domain: string,
    ): Promise<Tables['providerDomains'] | undefined> =>
      database
        .selectFrom('providerDomains')
        .selectAll()
        .where('providerId', '=', providerId)
        .where('domain', '=', domain)
        .executeTakeFirst(),

    /** Claims a domain for an organization, or confirms its claim. Of several organizations, exactly one gets `true`. */
    async claimDomain(claim: Tables['domainClaims']): Promise<boolean> {
      const row = await database
        .insertInto('domainClaims')
        .values(claim)
        .onConflict((conflict) =>
          conflict
            .column('domain')
            .doUpdateSet({ organizationCode: claim.organizationCode })
            .where('domainClaims.organizationCode', '=', claim.organizationCode),
        )
        .returning('domain')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Marks a domain as verified if its challenge is still the one whose record was found. */
    async updateDomainVerified({
      providerId,
      domain,
      challenge,
      at,
    }: {
      providerId: string
      domain: string
      challenge: string
      at: number
    }): Promise<boolean> {
      const row = await database
        .updateTable('providerDomains')
        .set({ verifiedAt: at })
        .where('providerId', '=', providerId)
        .where('domain', '=', domain)
        .where('challenge', '=', challenge)
        .returning('domain')
        .executeTakeFirst()
      return row !== undefined
    },

    /**
     * Removes a domain from a provider, in a transaction. If no other provider has verified it, other organizations may
     * claim it.
     */
    async deleteDomain(providerId: string, domain: string): Promise<void> {
      // Locks the claim, so that another provider cannot verify the domain at the same time.
      await database
        .updateTable('domainClaims')
        .set({ domain })
        .where('domain', '=', domain)
        .execute()
      await database
        .deleteFrom('providerDomains')
        .where('providerId', '=', providerId)
        .where('domain', '=', domain)
        .execute()
      await database
        .deleteFrom('domainClaims')
        .where('domain', '=', domain)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('providerDomains')
                .select('providerDomains.domain')
                .where('providerDomains.domain', '=', domain)
                .where('providerDomains.verifiedAt', 'is not', null),
            ),
          ),
        )
        .execute()
    },

    /**
     * Counts a person whom the directory has just added, in the same transaction. Returns `false` if the directory has too many.
     * People who are deleted are subtracted only when the limit is reached, by counting all.
     */
    async countDirectoryUser(providerId: string, limit: number): Promise<boolean> {
      const counted = await database
        .updateTable('identityProviders')
        .set(({ eb }) => ({ directoryUserCount: eb('directoryUserCount', '+', 1) }))
        .where('id', '=', providerId)
        .where('directoryUserCount', '<', limit)
        .returning('id')
        .executeTakeFirst()
      if (counted !== undefined) return true
      const recounted = await database
        .updateTable('identityProviders')
        .set(({ selectFrom, fn }) => ({
          directoryUserCount: selectFrom('directoryUsers')
            .select(fn.countAll<number>().as('count'))
            .where('providerId', '=', providerId),
        }))
        .where('id', '=', providerId)
        .returning('directoryUserCount')
        .executeTakeFirst()
      return recounted !== undefined && recounted.directoryUserCount <= limit
    },

    /** Whether the provider may vouch for addresses of a domain. */
    async hasVerifiedDomain(providerId: string, domain: string): Promise<boolean> {
      const row = await database
        .selectFrom('providerDomains')
        .select('domain')
        .where('providerId', '=', providerId)
        .where('domain', '=', domain)
        .where('verifiedAt', 'is not', null)
        .executeTakeFirst()
      return row !== undefined
    },

    findSubject: (providerId: string, subject: string) =>
      database
        .selectFrom('providerSubjects')
        .select(['identityId', 'givenName', 'familyName'])
        .where('providerId', '=', providerId)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    /** Links a person at a provider to an account. Returns `false` if the person already has one. */
    async insertSubject(
      subject: Omit<Tables['providerSubjects'], 'givenName' | 'familyName'>,
    ): Promise<boolean> {
      const row = await database
        .insertInto('providerSubjects')
        .values({ ...subject, givenName: null, familyName: null })
        .onConflict((conflict) => conflict.columns(['providerId', 'subject']).doNothing())
        .returning('subject')
        .executeTakeFirst()
      return row !== undefined
    },

    async updateNames(
      { providerId, subject }: Pick<Tables['providerSubjects'], 'providerId' | 'subject'>,
      names: Pick<Tables['providerSubjects'], 'givenName' | 'familyName'>,
    ): Promise<void> {
      await database
        .updateTable('providerSubjects')
        .set(names)
        .where('providerId', '=', providerId)
        .where('subject', '=', subject)
        .execute()
    },

    /**
     * Retires the subjects of a provider's accounts, because they would mean other people at another issuer. The accounts
     * stay linked.
     */
    async retireSubjects(providerId: string): Promise<void> {
      await database
        .updateTable('providerSubjects')
        .set(retire())
        .where('providerId', '=', providerId)
        .execute()
    },

    /**
     * Retires the subjects of an account at all its providers, because their people had not proved its mailbox. Returns the names of
     * the providers that could log in until now.
     */
    async retireSubjectsOf(identityId: string): Promise<readonly string[]> {
      const rows = await database
        .updateTable('providerSubjects')
        .set(retire())
        .where('identityId', '=', identityId)
        .where('subject', 'not like', `${RETIRED}%`)
        .returning((row) =>
          row
            .selectFrom('identityProviders')
            .select('name')
            .whereRef('identityProviders.id', '=', 'providerSubjects.providerId')
            .as('name'),
        )
        .execute()
      return [...new Set(rows.flatMap(({ name }) => name ?? []))]
    },

    /**
     * Replaces an account's retired subject with its new one; whether it is managed does not change. Returns `false` if
     * there is none.
     */
    async renewSubject({
      providerId,
      identityId,
      subject,
    }: Pick<
      Tables['providerSubjects'],
      'providerId' | 'identityId' | 'subject'
    >): Promise<boolean> {
      const rows = await database
        .updateTable('providerSubjects')
        .set({ subject })
        .where('providerId', '=', providerId)
        .where('identityId', '=', identityId)
        // An account may have been linked to two people of the provider.
        .where('subject', '=', (subjects) =>
          subjects
            .selectFrom('providerSubjects')
            .select(({ fn }) => fn.min('subject').as('subject'))
            .where('providerId', '=', providerId)
            .where('identityId', '=', identityId)
            .where('subject', 'like', `${RETIRED}%`),
        )
        .returning('subject')
        .execute()
      return rows.length > 0
    },

    /** Removes the people of a provider from an account, except those of an earlier issuer. Returns them. */
    async deleteCurrentSubjects(
      providerId: string,
      identityId: string,
    ): Promise<readonly Pick<Tables['providerSubjects'], 'subject' | 'managedAt'>[]> {
      return database
        .deleteFrom('providerSubjects')
        .where('providerId', '=', providerId)
        .where('identityId', '=', identityId)
        .where('subject', 'not like', `${RETIRED}%`)
        .returning(['subject', 'managedAt'])
        .execute()
    },

    /** The providers that an account is linked to, with what their directories sent about the person. */
    async listWithDirectory(identityId: string) {
      const rows = await database
        .selectFrom('providerSubjects')
        .innerJoin('identityProviders', 'identityProviders.id', 'providerSubjects.providerId')
        .leftJoin('directoryUsers', (join) =>
          join
            .onRef('directoryUsers.identityId', '=', 'providerSubjects.identityId')
            .onRef('directoryUsers.providerId', '=', 'providerSubjects.providerId'),
        )
        .select([
          'identityProviders.name',
          'providerSubjects.subject',
          'providerSubjects.createdAt',
          'providerSubjects.givenName as ownGivenName',
          'providerSubjects.familyName as ownFamilyName',
          'directoryUsers.userName',
          'directoryUsers.email',
          'directoryUsers.displayName',
          'directoryUsers.givenName',
          'directoryUsers.familyName',
        ])
        .where('providerSubjects.identityId', '=', identityId)
        .orderBy('providerSubjects.createdAt', 'desc')
        .execute()
      return rows.map(({ subject, ...row }) => ({ ...row, ...readSubject(subject) }))
    },

    /** The providers that an account is linked to. If `managedAt` is set, the provider manages the account. */
    listOfIdentity: (identityId: string) =>
      ofIdentity(identityId)
        .select(['managedAt', 'providerSubjects.createdAt'])
        .orderBy('providerSubjects.createdAt')
        .execute(),

    /** The provider that manages an account, unless it is disabled. */
    findManager: (
      identityId: string,
    ): Promise<Pick<ProviderRow, 'id' | 'name' | 'userType'> | undefined> =>
      ofIdentity(identityId).where('managedAt', 'is not', null).limit(1).executeTakeFirst(),

    /** Whether a provider manages any account. */
    async managesAccounts(providerId: string): Promise<boolean> {
      const row = await database
        .selectFrom('providerSubjects')
        .select('providerId')
        .where('providerId', '=', providerId)
        .where('managedAt', 'is not', null)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Which of these accounts the provider manages, unless it is disabled. */
    async listManaged(
      providerId: string,
      identityIds: readonly string[],
    ): Promise<ReadonlySet<string>> {
      if (identityIds.length === 0) return new Set()
      const rows = await database
        .selectFrom('providerSubjects')
        .innerJoin('identityProviders', 'identityProviders.id', 'providerSubjects.providerId')
        .select('identityId')
        .where('providerId', '=', providerId)
        .where('identityId', 'in', identityIds)
        .where('managedAt', 'is not', null)
        .where('enabledAt', 'is not', null)
        .execute()
      return new Set(rows.map(({ identityId }) => identityId))
    },

    /** Unlinks a provider that does not manage the account. Returns `false` if there is none. */
    async deleteSubjects(identityId: string, providerId: string): Promise<boolean> {
      const rows = await database
        .deleteFrom('providerSubjects')
        .where('identityId', '=', identityId)
        .where('providerId', '=', providerId)
        .where('managedAt', 'is', null)
        .returning('subject')
        .execute()
      return rows.length > 0
    },
  }
}
