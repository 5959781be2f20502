import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { ExperimentRunsTable } from '../database/tables.ts'

export type RunRow = Selectable<ExperimentRunsTable>

const COLUMNS = [
  'id',
  'experimentKey',
  'split',
  'startsAt',
  'stopsAt',
  'createdAt',
  'createdBy',
  'reason',
  'endedAt',
  'endedBy',
  'endReason',
  'afterwards',
] as const

/** Experiment runs and the visitors who were exposed to them. */
export function experimentRunsStore(database: Database) {
  return {
    /** Newest first. */
    list: (experimentKey: string, limit: number): Promise<RunRow[]> =>
      database
        .selectFrom('experimentRuns')
        .select(COLUMNS)
        .where('experimentKey', '=', experimentKey)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    findById: (id: string): Promise<RunRow | undefined> =>
      database.selectFrom('experimentRuns').select(COLUMNS).where('id', '=', id).executeTakeFirst(),

    /** Ends runs whose scheduled end has passed, so that the next one can start. */
    async endStopped(experimentKey: string, at: number): Promise<void> {
      await database
        .updateTable('experimentRuns')
        .set(({ ref }) => ({ endedAt: ref('stopsAt'), afterwards: sql`'file'` }))
        .where('experimentKey', '=', experimentKey)
        .where('endedAt', 'is', null)
        .where('stopsAt', '<=', at)
        .execute()
    },

    /** Returns whether it was added: an experiment has only one run at a time. */
    async insert(
      run: Pick<
        RunRow,
        | 'id'
        | 'experimentKey'
        | 'split'
        | 'startsAt'
        | 'stopsAt'
        | 'createdAt'
        | 'createdBy'
        | 'reason'
      >,
    ): Promise<boolean> {
      const row = await database
        .insertInto('experimentRuns')
        .values(run)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Returns whether it was still running. */
    async end(
      id: string,
      end: {
        endedAt: number
        endedBy: string
        endReason: string
        afterwards: RunRow['afterwards']
      },
    ): Promise<boolean> {
      const row = await database
        .updateTable('experimentRuns')
        .set(end)
        .where('id', '=', id)
        .where('endedAt', 'is', null)
        .where(({ eb, or }) => or([eb('stopsAt', 'is', null), eb('stopsAt', '>', end.endedAt)]))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Stores a visitor's first exposure to a run; returns whether this was the first. */
    async insertVisitor(visitor: {
      runId: string
      trackerUuid: string
      variant: string
      organizationCode: string
      exposedAt: number
    }): Promise<boolean> {
      const row = await database
        .insertInto('experimentVisitors')
        .values(visitor)
        .onConflict((conflict) => conflict.columns(['runId', 'trackerUuid']).doNothing())
        .returning('runId')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whether a visitor was exposed to a run. */
    async hasVisitor(runId: string, trackerUuid: string): Promise<boolean> {
      const row = await database
        .selectFrom('experimentVisitors')
        .select('runId')
        .where('runId', '=', runId)
        .where('trackerUuid', '=', trackerUuid)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The visitors of a run by variant and outcome, of these organizations or of all. */
    async counts(
      runId: string,
      organizationCodes: readonly string[] | undefined,
    ): Promise<readonly { variant: string; outcome: string; visitors: number }[]> {
      let query = database.selectFrom('experimentCounts').where('runId', '=', runId)
      if (organizationCodes !== undefined) {
        query = query.where('organizationCode', 'in', organizationCodes)
      }
      const rows = await query
        .select(({ fn }) => [
          'variant',
          'outcome',
          fn.sum<number | string>('visitors').as('visitors'),
        ])
        .groupBy(['variant', 'outcome'])
        .execute()
      return rows.map((row) => ({ ...row, visitors: Number(row.visitors) }))
    },
  }
}
