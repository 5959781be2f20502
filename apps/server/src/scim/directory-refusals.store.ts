import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Refused requests of one kind, of one provider. */
export interface CountedRefusal {
  readonly providerId: string
  /** JSON of a `DirectoryRefusal`. */
  readonly content: string
  readonly refused: number
  readonly lastAt: number
}

/** What was refused to the directories of providers, by kind. */
export function directoryRefusalsStore(database: Database) {
  return {
    async add(refusals: readonly CountedRefusal[]): Promise<void> {
      await database
        .insertInto('directoryRefusals')
        .values(refusals.map((each) => ({ ...each, id: `${each.providerId} ${each.content}` })))
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({
            refused: sql<number>`directory_refusals.refused + excluded.refused`,
            lastAt: sql<number>`case when directory_refusals.last_at > excluded.last_at
              then directory_refusals.last_at else excluded.last_at end`,
          }),
        )
        .execute()
    },

    /** The latest, of providers of these organizations, or of all. */
    list: (organizationCodes: readonly string[] | undefined, limit: number) =>
      database
        .selectFrom('directoryRefusals')
        .innerJoin('identityProviders', 'identityProviders.id', 'directoryRefusals.providerId')
        .select([
          'identityProviders.organizationCode',
          'identityProviders.name as provider',
          'directoryRefusals.content',
          'directoryRefusals.refused',
          'directoryRefusals.lastAt',
        ])
        .$if(organizationCodes !== undefined, (refusals) =>
          refusals.where('identityProviders.organizationCode', 'in', organizationCodes ?? []),
        )
        .orderBy('directoryRefusals.lastAt', 'desc')
        .orderBy('directoryRefusals.id')
        .limit(limit)
        .execute(),
  }
}
