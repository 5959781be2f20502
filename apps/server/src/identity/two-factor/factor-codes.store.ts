import { randomUUID } from 'node:crypto'
import { PASSCODE_LIFETIME_MS, SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'

/** Codes sent to aliases. */
export function factorCodesStore(database: Database) {
  return {
    async insert(code: {
      purposeId: string
      aliasId: string
      codeMac: string
      at: number
      expiresAt: number
    }): Promise<void> {
      await database
        .insertInto('factor_codes')
        .values({
          id: randomUUID(),
          purpose_id: code.purposeId,
          alias_id: code.aliasId,
          code_mac: code.codeMac,
          created_at: code.at,
          expires_at: code.expiresAt,
          redeemed_at: null,
        })
        .execute()
    },

    /** The newest code of a purpose with this keyed hash. */
    find: (purposeId: string, codeMac: string) =>
      database
        .selectFrom('factor_codes')
        .selectAll()
        .where('purpose_id', '=', purposeId)
        .where('code_mac', '=', codeMac)
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),

    /** Valid codes sent to these aliases for another purpose before this purpose's newest code. */
    listEarlier: ({
      purposeId,
      aliasIds,
      at,
    }: {
      purposeId: string
      aliasIds: readonly string[]
      at: number
    }) =>
      database
        .selectFrom('factor_codes')
        .select(['id', 'purpose_id', 'code_mac'])
        .where('alias_id', 'in', aliasIds)
        .where('purpose_id', '!=', purposeId)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', at)
        .where('created_at', '<', (query) =>
          query
            .selectFrom('factor_codes as own')
            .select(({ fn }) => fn.max('own.created_at').as('newest'))
            .where('own.purpose_id', '=', purposeId),
        )
        .orderBy('created_at', 'desc')
        .limit(SENDS_PER_RECIPIENT)
        .execute(),

    /** Consumes a code; of concurrent calls, exactly one returns `true`. */
    async consume(id: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('factor_codes')
        .set({ redeemed_at: at })
        .where('id', '=', id)
        .where('redeemed_at', 'is', null)
        .where('expires_at', '>', at)
        .where('expires_at', '<=', latestExpiry(at, PASSCODE_LIFETIME_MS))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
