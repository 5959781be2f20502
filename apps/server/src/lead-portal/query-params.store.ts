import type { Database } from '../database/database.ts'

/** The query parameters with which partner-referred borrowers arrived. */
export function queryParamsStore(database: Database) {
  return {
    async upsert(arrival: {
      identityId: string
      queryParams: Readonly<Record<string, string>>
      at: number
    }): Promise<void> {
      const values = { queryParams: JSON.stringify(arrival.queryParams), updatedAt: arrival.at }
      await database
        .insertInto('borrowerQueryParams')
        .values({ identityId: arrival.identityId, ...values })
        .onConflict((conflict) => conflict.column('identityId').doUpdateSet(values))
        .execute()
    },
  }
}
