import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { ApprovalsTable } from '../../database/tables.ts'

/** Something that was asked of a hosted wallet. */
export type ApprovalRow = Selectable<ApprovalsTable>

/** What pages ask of hosted wallets; each is answered once. */
export function approvalsStore(database: Database) {
  return {
    async add(approval: Insertable<ApprovalsTable>): Promise<void> {
      await database.insertInto('approvals').values(approval).execute()
    },

    /** Answers a request; of any number of racers exactly one is given it, and nobody of another session. */
    decide: (id: string, sessionId: string, at: number): Promise<ApprovalRow | undefined> =>
      database
        .updateTable('approvals')
        .set({ decided_at: at })
        .where('id', '=', id)
        .where('session_id', '=', sessionId)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', at)
        .returningAll()
        .executeTakeFirst(),
  }
}
