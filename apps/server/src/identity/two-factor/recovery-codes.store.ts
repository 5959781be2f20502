import type { Database } from '../../database/database.ts'

/** Hashed recovery codes. */
export function recoveryCodesStore(database: Database) {
  return {
    /** Replaces all earlier codes, used or not. */
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

    /** The number of unused codes. */
    async countUnused(identityId: string): Promise<number> {
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

    /** Consumes a code; of concurrent calls, exactly one returns `true`. */
    async consume(identityId: string, hash: string, at: number): Promise<boolean> {
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
