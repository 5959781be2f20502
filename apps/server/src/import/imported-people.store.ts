import { randomUUID } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { ImportedPerson } from './person-line.ts'

/** A person with their future account ID. */
export type NewPerson = ImportedPerson & { readonly id: string }

/** Adds many people at once. */
export function importedPeopleStore(database: Database) {
  return {
    /** The IDs of the accounts that have these addresses. */
    async findIds(emails: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (emails.length === 0) return new Map()
      const rows = await database
        .selectFrom('identities')
        .select(['id', 'email'])
        .where('email', 'in', emails)
        .execute()
      return new Map(rows.map(({ email, id }) => [email, id]))
    },

    /** Adds the people whose addresses have no account, with an event in the audit log. Returns their IDs. */
    async insert(people: readonly NewPerson[], at: number): Promise<ReadonlySet<string>> {
      if (people.length === 0) return new Set()
      const rows = await database
        .insertInto('identities')
        .values(
          people.map(({ id, email, organizationCode, profileType, ...person }) => ({
            id,
            email,
            organizationCode,
            profileType,
            passwordHash: person.passwordHash,
            givenName: person.givenName,
            familyName: person.familyName,
            foreignPasswordAt: person.passwordHash === null ? null : at,
            credentialVersion: 0,
            createdAt: at,
            updatedAt: at,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
      const added = new Set(rows.map(({ id }) => id))
      const addedPeople = people.filter(({ id }) => added.has(id))
      if (addedPeople.length === 0) return added
      await database
        .insertInto('aliases')
        .values(
          addedPeople.flatMap(({ id: identityId, email, phone, phoneVerified }) => {
            const alias = { identityId, createdAt: at }
            const address = { ...alias, type: 'Email', value: email, verifiedAt: at } as const
            const number = {
              ...alias,
              type: 'Phone',
              verifiedAt: phoneVerified ? at : null,
            } as const
            return [
              { id: randomUUID(), ...address },
              ...(phone === null ? [] : [{ id: randomUUID(), ...number, value: phone }]),
            ]
          }),
        )
        .execute()
      await database
        .insertInto('auditEvents')
        .values(
          addedPeople.map(({ id: identityId, organizationCode }) => ({
            id: randomUUID(),
            createdAt: at,
            kind: 'imported',
            identityId,
            organizationCode,
            network: 'operator',
            details: '{}',
          })),
        )
        .execute()
      return added
    },
  }
}
