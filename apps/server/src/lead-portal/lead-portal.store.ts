import type { Database } from '../database/database.ts'

/** The query parameters with which partner-referred borrowers arrived. */
export function leadPortalStore(database: Database) {
  return {
    async saveQueryParams(arrival: {
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
