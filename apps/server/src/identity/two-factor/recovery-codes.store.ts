import type { Database } from '../../database/database.ts'

/** Recovery codes, as hashes. */
export function recoveryCodesStore(database: Database) {
  return {
    /** Puts codes in the place of earlier ones, used or not. */
    async replace(identityId: string, hashes: readonly string[], at: number): Promise<void> {
      await database.deleteFrom('recovery_codes').where('identity_id', '=', identityId).execute()
      await database
        .insertInto('recovery_codes')
        .values(
          hashes.map((hash) => ({
            identity_id: identityId,
            code_hash: hash,
            created_at: at,
            used_at: null,
          })),
        )
        .execute()
    },

    /** How many there are still to use. */
    async left(identityId: string): Promise<number> {
      const rows = await database
        .selectFrom('recovery_codes')
        .select('code_hash')
        .where('identity_id', '=', identityId)
        .where('used_at', 'is', null)
        .execute()
      return rows.length
    },

    find: (identityId: string, hash: string) =>
      database
        .selectFrom('recovery_codes')
        .select('used_at')
        .where('identity_id', '=', identityId)
        .where('code_hash', '=', hash)
        .executeTakeFirst(),

    /** Uses a code up; of any number of racers exactly one is told `true`. */
    async use(identityId: string, hash: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('recovery_codes')
        .set({ used_at: at })
        .where('identity_id', '=', identityId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .returning('code_hash')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
