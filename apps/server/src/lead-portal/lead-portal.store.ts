import type { Database } from '../database/database.ts'

/** What partner-referred people arrived with. */
export function leadPortalStore(database: Database) {
  return {
    async keepQueryParams(kept: {
      identityId: string
      queryParams: Readonly<Record<string, string>>
      at: number
    }): Promise<void> {
      const values = { query_params: JSON.stringify(kept.queryParams), updated_at: kept.at }
      await database
        .insertInto('borrower_query_params')
        .values({ identity_id: kept.identityId, ...values })
        .onConflict((conflict) => conflict.column('identity_id').doUpdateSet(values))
        .execute()
    },
  }
}
