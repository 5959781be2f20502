import type { StoredActRequestState } from '@portico/rules/act-requests'
import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { isAfter, type Place } from '../keyset.ts'

type Row = Selectable<Tables['actRequests']>

export interface ActRequestRow extends Omit<Row, 'organizationCodes'> {
  /** Includes `*` for all organizations. */
  readonly organizationCodes: readonly string[]
}

interface Decision {
  readonly state: Exclude<StoredActRequestState, 'waiting'>
  readonly decidedBy: string
  readonly deciderName: string
  readonly decidedAt: number
  readonly decisionReason: string
}

/** Acts that wait for a second operator. */
export function actRequestsStore(database: Database) {
  return {
    async insert({
      organizationCodes,
      ...request
    }: Omit<Insertable<Tables['actRequests']>, 'organizationCodes' | 'state'> & {
      readonly organizationCodes: readonly string[]
    }): Promise<void> {
      await database
        .insertInto('actRequests')
        .values({
          ...request,
          organizationCodes: JSON.stringify(organizationCodes),
          state: 'waiting',
        })
        .execute()
    },

    async find(id: string): Promise<ActRequestRow | undefined> {
      const row = await database
        .selectFrom('actRequests')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && requestOf(row)
    },

    /** Requests before a place, newest first; those that wait at a time if it is given. */
    async list({
      after,
      waitingAt,
      limit,
    }: {
      readonly after: Place | undefined
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

    /** Decides about a request that still waits. Of simultaneous decisions one is made; the others return undefined. */
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

    /** Ends an approved act. It stays done if its own transaction said so. */
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

/** The column holds what this module wrote. */
function requestOf({ organizationCodes, ...row }: Row): ActRequestRow {
  return { ...row, organizationCodes: JSON.parse(organizationCodes) as string[] }
}
