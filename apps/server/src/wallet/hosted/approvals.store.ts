import { APPROVAL_LIFETIME_MS } from '@portico/contracts/limits'
import type { Insertable, Selectable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { ApprovalsTable } from '../../database/tables.ts'

/** A request to a hosted wallet. */
export type ApprovalRow = Selectable<ApprovalsTable>

/** Pages' requests to hosted wallets. Each is decided once. */
export function approvalsStore(database: Database) {
  return {
    async insert(approval: Insertable<ApprovalsTable>): Promise<void> {
      await database.insertInto('approvals').values(approval).execute()
    },

    /** A pending request of this session. */
    find: (id: string, sessionId: string, at: number): Promise<ApprovalRow | undefined> =>
      database
        .selectFrom('approvals')
        .selectAll()
        .where('id', '=', id)
        .where('sessionId', '=', sessionId)
        .where('decidedAt', 'is', null)
        .where('expiresAt', '>', at)
        .executeTakeFirst(),

    /** Records that the user proved their identity for this request; false if it is no longer pending. */
    async updateProven(id: string, sessionId: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('approvals')
        .set({ provenAt: at })
        .where('id', '=', id)
        .where('sessionId', '=', sessionId)
        .where('decidedAt', 'is', null)
        .where('expiresAt', '>', at)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Decides a pending request of this session. Of concurrent calls, only one receives it. */
    consume: (id: string, sessionId: string, at: number): Promise<ApprovalRow | undefined> =>
      database
        .updateTable('approvals')
        .set({ decidedAt: at })
        .where('id', '=', id)
        .where('sessionId', '=', sessionId)
        .where('decidedAt', 'is', null)
        .where('expiresAt', '>', at)
        .where('expiresAt', '<=', latestExpiry(at, APPROVAL_LIFETIME_MS))
        .returningAll()
        .executeTakeFirst(),
  }
}
