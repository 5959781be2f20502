import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { latestExpiry } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** Consumes a code of one of these tables; of concurrent calls, exactly one returns `true`. */
export async function consumeCode(
  database: Database,
  table: 'factorCodes' | 'passcodes',
  { id, at }: { readonly id: string; readonly at: number },
): Promise<boolean> {
  const row = await database
    .updateTable(table)
    .set({ redeemedAt: at })
    .where('id', '=', id)
    .where('redeemedAt', 'is', null)
    .where('expiresAt', '>', at)
    .where('expiresAt', '<=', latestExpiry(at, PASSCODE_LIFETIME_MS))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
