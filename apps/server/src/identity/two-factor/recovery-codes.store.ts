import type { Database } from '../../database/database.ts'
import type { FactorOrigin } from '../../database/tables.ts'

/** Hashed recovery codes. */
export function recoveryCodesStore(database: Database) {
  return {
    /** Replaces all earlier codes, used or not. */
    async replace(
      identityId: string,
      hashes: readonly string[],
      at: number,
      origin?: FactorOrigin,
    ): Promise<void> {
      await database.deleteFrom('recoveryCodes').where('identityId', '=', identityId).execute()
      await database
        .insertInto('recoveryCodes')
        .values(
          hashes.map((hash) => ({
            identityId,
            codeHash: hash,
            createdAt: at,
            usedAt: null,
            ...origin,
          })),
        )
        .execute()
    },

    /** The number of unused codes. */
    async countUnused(identityId: string): Promise<number> {
      const rows = await database
        .selectFrom('recoveryCodes')
        .select('codeHash')
        .where('identityId', '=', identityId)
        .where('usedAt', 'is', null)
        .execute()
      return rows.length
    },

    find: (identityId: string, hash: string) =>
      database
        .selectFrom('recoveryCodes')
        .select('usedAt')
        .where('identityId', '=', identityId)
        .where('codeHash', '=', hash)
        .executeTakeFirst(),

    /** Consumes a code; of concurrent calls, exactly one returns `true`. */
    async consume(identityId: string, hash: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('recoveryCodes')
        .set({ usedAt: at })
        .where('identityId', '=', identityId)
        .where('codeHash', '=', hash)
        .where('usedAt', 'is', null)
        .returning('codeHash')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
