import type { UserType } from '@portico/contracts/broker'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { IdentityProvidersTable, Tables } from '../database/tables.ts'

export type ProviderRow = Selectable<IdentityProvidersTable>

/** Organizations' identity providers, their domains, and the accounts of their people. */
export function providersStore(database: Database) {
  const enabled = () =>
    database.selectFrom('identityProviders').selectAll().where('enabledAt', 'is not', null)

  return {
    /** The provider that an organization's customers or agents log in with; the one enabled last. */
    findEnabled: (organizationCode: string, userType: UserType): Promise<ProviderRow | undefined> =>
      enabled()
        .where('organizationCode', '=', organizationCode)
        .where('userType', '=', userType)
        .orderBy('enabledAt', 'desc')
        .limit(1)
        .executeTakeFirst(),

    findEnabledById: (id: string): Promise<ProviderRow | undefined> =>
      enabled().where('id', '=', id).executeTakeFirst(),

    /** Locks the provider's row until the transaction ends. Returns `false` for an unknown provider. */
    async lock(id: string): Promise<boolean> {
      const row = await database
        .updateTable('identityProviders')
        .set(({ ref }) => ({ updatedAt: ref('updatedAt') }))
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Adds a provider, unless it exists. */
    async insert(provider: Insertable<IdentityProvidersTable>): Promise<void> {
      await database
        .insertInto('identityProviders')
        .values(provider)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    async insertDomain(domain: Insertable<Tables['providerDomains']>): Promise<void> {
      await database
        .insertInto('providerDomains')
        .values(domain)
        .onConflict((conflict) => conflict.columns(['providerId', 'domain']).doNothing())
        .execute()
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
        .select(['identityId', 'managedAt'])
        .where('providerId', '=', providerId)
        .where('subject', '=', subject)
        .executeTakeFirst(),

    /** Connects a person of a provider to an account. Returns `false` if the person already has one. */
    async insertSubject(subject: Tables['providerSubjects']): Promise<boolean> {
      const row = await database
        .insertInto('providerSubjects')
        .values(subject)
        .onConflict((conflict) => conflict.columns(['providerId', 'subject']).doNothing())
        .returning('subject')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whether a provider manages the account. */
    async isManaged(identityId: string): Promise<boolean> {
      const row = await database
        .selectFrom('providerSubjects')
        .select('subject')
        .where('identityId', '=', identityId)
        .where('managedAt', 'is not', null)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
