import type { ActRequestState } from '@portico/contracts/admin/act-requests'
import { MAX_RUNNING_MS } from '@portico/rules/act-requests'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { type Cursor, isAfter } from '../keyset.ts'

type Row = Selectable<Tables['actRequests']>

export interface ActRequestRow extends Omit<Row, 'organizationCodes'> {
  /** Includes `*` for all organizations. */
  readonly organizationCodes: readonly string[]
}

interface Decision {
  readonly state: Exclude<ActRequestState, 'waiting' | 'expired' | 'interrupted'>
  readonly decidedBy: string
  readonly deciderName: string
  readonly decidedAt: number
  readonly decisionReason: string
}

/** Requests for acts that need a second operator. */
export function actRequestsStore(database: Database) {
  return {
    /** Returns false if a request for the same act is already waiting. */
    async insert({
      organizationCodes,
      ...request
    }: Omit<Insertable<Tables['actRequests']>, 'organizationCodes' | 'state'> & {
      readonly organizationCodes: readonly string[]
    }): Promise<boolean> {
      const row = await database
        .insertInto('actRequests')
        .values({
          ...request,
          organizationCodes: JSON.stringify(organizationCodes),
          state: 'waiting',
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async find(id: string): Promise<ActRequestRow | undefined> {
      const row = await database
        .selectFrom('actRequests')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && requestOf(row)
    },

    /** Requests after a cursor, newest first. With a time, only those waiting at that time. */
    async list({
      after,
      waitingAt,
      limit,
    }: {
      readonly after: Cursor | undefined
      readonly waitingAt: number | undefined
      readonly limit: number
    }): Promise<ActRequestRow[]> {
      const rows = await database
        .selectFrom('actRequests')
        .selectAll()
        .$if(waitingAt !== undefined, (query) =>
          query.where('state', '=', 'waiting').where('expiresAt', '>', waitingAt ?? 0),
        )
        .where(isAfter(after))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(requestOf)
    },

    /** Decides a waiting request. Of several concurrent decisions, one succeeds and the others return undefined. */
    async consume(id: string, decision: Decision): Promise<ActRequestRow | undefined> {
      const row = await database
        .updateTable('actRequests')
        .set(decision)
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .where('expiresAt', '>', decision.decidedAt)
        .returningAll()
        .executeTakeFirst()
      return row && requestOf(row)
    },

    /** The IDs of waiting requests that expired without a decision. */
    async listExpired(at: number): Promise<string[]> {
      const rows = await database
        .selectFrom('actRequests')
        .select('id')
        .where('state', '=', 'waiting')
        .where('expiresAt', '<=', at)
        // Requests of older versions have none, and may have expired weeks ago.
        .where('fingerprint', 'is not', null)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Marks a waiting request as expired. Of concurrent calls, exactly one returns it. */
    async expire(
      key: { readonly id: string } | { readonly fingerprint: string },
      at: number,
    ): Promise<ActRequestRow | undefined> {
      const row = await database
        .updateTable('actRequests')
        .set({ state: 'expired' })
        .where(({ eb }) =>
          'id' in key ? eb('id', '=', key.id) : eb('fingerprint', '=', key.fingerprint),
        )
        .where('state', '=', 'waiting')
        .where('expiresAt', '<=', at)
        .returningAll()
        .executeTakeFirst()
      return row && requestOf(row)
    },

    /** The IDs of approved acts that have not completed in time. */
    async listInterrupted(at: number): Promise<string[]> {
      const rows = await database
        .selectFrom('actRequests')
        .select('id')
        .where('state', '=', 'running')
        .where('decidedAt', '<=', at - MAX_RUNNING_MS)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Marks an approved act as interrupted, unless it is done: then it can no longer be. Of concurrent calls, one returns it. */
    async interrupt(id: string): Promise<ActRequestRow | undefined> {
      const row = await database
        .updateTable('actRequests')
        .set({ state: 'interrupted' })
        .where('id', '=', id)
        .where('state', '=', 'running')
        .returningAll()
        .executeTakeFirst()
      return row && requestOf(row)
    },

    /** Records the outcome of an approved act, unless the act's own transaction already marked it as done, or it was interrupted. */
    async updateEnded(
      id: string,
      ended:
        | { readonly state: 'done'; readonly answer: string | null }
        | { readonly state: 'failed'; readonly failure: string },
    ): Promise<boolean> {
      const row = await database
        .updateTable('actRequests')
        .set(ended)
        .where('id', '=', id)
        .where('state', 'in', ended.state === 'done' ? ['running', 'done'] : ['running'])
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

/** Only this module writes this column. */
function requestOf({ organizationCodes, ...row }: Row): ActRequestRow {
  return { ...row, organizationCodes: JSON.parse(organizationCodes) as string[] }
}
