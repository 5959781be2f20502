import type { Database } from '../database/database.ts'

/** The query parameters with which partner-referred borrowers arrived. */
export function leadPortalStore(database: Database) {
  return {
    async saveQueryParams(arrival: {
      identityId: string
      queryParams: Readonly<Record<string, string>>
      at: number
    }): Promise<void> {
      const values = { query_params: JSON.stringify(arrival.queryParams), updated_at: arrival.at }
      await database
        .insertInto('borrower_query_params')
        .values({ identity_id: arrival.identityId, ...values })
        .onConflict((conflict) => conflict.column('identity_id').doUpdateSet(values))
        .execute()
    },
  }
}
