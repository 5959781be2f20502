import { randomUUID } from 'node:crypto'
import { SENDS_PER_RECIPIENT } from '@portico/contracts/limits'
import type { Database } from '../../database/database.ts'
import { consumeCode } from '../consume-code.ts'

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
        .insertInto('factorCodes')
        .values({
          id: randomUUID(),
          purposeId: code.purposeId,
          aliasId: code.aliasId,
          codeMac: code.codeMac,
          createdAt: code.at,
          expiresAt: code.expiresAt,
          redeemedAt: null,
        })
        .execute()
    },

    /** The newest code of a purpose with this keyed hash. */
    find: (purposeId: string, codeMac: string) =>
      database
        .selectFrom('factorCodes')
        .selectAll()
        .where('purposeId', '=', purposeId)
        .where('codeMac', '=', codeMac)
        .orderBy('createdAt', 'desc')
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
        .selectFrom('factorCodes')
        .select(['id', 'purposeId', 'codeMac'])
        .where('aliasId', 'in', aliasIds)
        .where('purposeId', '!=', purposeId)
        .where('redeemedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('createdAt', '<', (query) =>
          query
            .selectFrom('factorCodes as own')
            .select(({ fn }) => fn.max('own.createdAt').as('newest'))
            .where('own.purposeId', '=', purposeId),
        )
        .orderBy('createdAt', 'desc')
        .limit(SENDS_PER_RECIPIENT)
        .execute(),

    consume: (id: string, at: number): Promise<boolean> =>
      consumeCode(database, 'factorCodes', { id, at }),
  }
}
