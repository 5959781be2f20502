import { APPROVAL_LIFETIME_MS } from '@portico/contracts/limits'
import type { Insertable, Selectable } from 'kysely'
import { latestExpiry } from '../../clock.ts'
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

    /** A request of this session that waits for its answer. */
    find: (id: string, sessionId: string, at: number): Promise<ApprovalRow | undefined> =>
      database
        .selectFrom('approvals')
        .selectAll()
        .where('id', '=', id)
        .where('session_id', '=', sessionId)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', at)
        .executeTakeFirst(),

    /** Records that the person proved who they are for this request; false where it no longer waits. */
    async prove(id: string, sessionId: string, at: number): Promise<boolean> {
      const row = await database
        .updateTable('approvals')
        .set({ proven_at: at })
        .where('id', '=', id)
        .where('session_id', '=', sessionId)
        .where('decided_at', 'is', null)
        .where('expires_at', '>', at)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
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
        .where('expires_at', '<=', latestExpiry(at, APPROVAL_LIFETIME_MS))
        .returningAll()
        .executeTakeFirst(),
  }
}
