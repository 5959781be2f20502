import type { Database } from '../../database/database.ts'
import type { InsightCountsTable } from '../../database/tables.ts'

const STATE = 'state'

/** The rows that Insight counts, and the counts. All methods run in one transaction that holds the lock. */
export function insightCountingStore(database: Database) {
  return {
    /** Whether there is anything to count. */
    async hasUncounted(): Promise<boolean> {
      const [session, event, visitor, line] = await Promise.all([
        database
          .selectFrom('telemetrySessions')
          .select('uuid')
          .where('countedAt', 'is', null)
          .limit(1)
          .executeTakeFirst(),
        database
          .selectFrom('telemetryEvents')
          .select('id')
          .where('countedAt', 'is', null)
          .limit(1)
          .executeTakeFirst(),
        database
          .selectFrom('experimentVisitors')
          .select('runId')
          .where('countedAt', 'is', null)
          .limit(1)
          .executeTakeFirst(),
        database
          .selectFrom('auditChain')
          .innerJoin('insightState', 'insightState.auditSequence', 'insightState.auditSequence')
          .select('auditChain.id')
          .whereRef('auditChain.sequence', '>', 'insightState.auditSequence')
          .executeTakeFirst(),
      ])
      return [session, event, visitor, line].some((row) => row !== undefined)
    },

    /** The last audit log entry that was counted. Locks counting until the transaction ends. */
    lock: () =>
      database
        .updateTable('insightState')
        .set(({ ref }) => ({ auditSequence: ref('auditSequence') }))
        .where('id', '=', STATE)
        .returning('auditSequence')
        .executeTakeFirstOrThrow(),

    async updateAuditSequence(auditSequence: number): Promise<void> {
      await database
        .updateTable('insightState')
        .set({ auditSequence })
        .where('id', '=', STATE)
        .execute()
    },

    claimSessions: (limit: number, at: number) =>
      database
        .updateTable('telemetrySessions')
        .set({ countedAt: at })
        .where('uuid', 'in', (query) =>
          query
            .selectFrom('telemetrySessions')
            .select('uuid')
            .where('countedAt', 'is', null)
            .orderBy('createdAt')
            .limit(limit),
        )
        .returning(['createdAt', 'organizationCode', 'queryParams', 'windowWidth'])
        .execute(),

    claimEvents: (limit: number, at: number) =>
      database
        .updateTable('telemetryEvents')
        .set({ countedAt: at })
        .where('id', 'in', (query) =>
          query
            .selectFrom('telemetryEvents')
            .select('id')
            .where('countedAt', 'is', null)
            .orderBy('createdAt')
            .limit(limit),
        )
        .returning([
          'sessionUuid',
          'event',
          'pagePath',
          'eventProperties',
          'organizationCode',
          'createdAt',
        ])
        .execute(),

    listAudit: (after: number, limit: number) =>
      database
        .selectFrom('auditEvents')
        .select(['sequence', 'kind', 'identityId', 'organizationCode', 'details', 'createdAt'])
        .where('sequence', '>', after)
        .where('sequence', 'is not', null)
        .orderBy('sequence')
        .limit(limit)
        .$narrowType<{ sequence: number }>()
        .execute(),

    listSessions: (uuids: readonly string[]) =>
      database
        .selectFrom('telemetrySessions')
        .select([
          'uuid',
          'trackerUuid',
          'identityId',
          'createdAt',
          'organizationCode',
          'queryParams',
          'windowWidth',
          'marks',
        ])
        .where('uuid', 'in', padToPowerOfTwo(uuids))
        .execute(),

    /** The visit of an identity at `at`: the latest one that began within `withinMs` before. */
    findVisit: async (identityId: string, at: number, withinMs: number) =>
      (
        await database
          .selectFrom('telemetrySessions')
          .select('uuid')
          .where('identityId', '=', identityId)
          .where('createdAt', '<=', at)
          .where('createdAt', '>', at - withinMs)
          .orderBy('createdAt', 'desc')
          .limit(1)
          .executeTakeFirst()
      )?.uuid,

    async updateMarks(uuid: string, marks: number): Promise<void> {
      await database
        .updateTable('telemetrySessions')
        .set({ marks })
        .where('uuid', '=', uuid)
        .execute()
    },

    async addCount(
      table: 'insightHours' | 'insightDays',
      row: Readonly<InsightCountsTable>,
    ): Promise<void> {
      await database
        .insertInto(table)
        .values({ ...row })
        .onConflict((conflict) =>
          conflict
            .columns(['metric', 'startsAt', 'organizationCode', 'label', 'device'])
            .doUpdateSet(({ eb, ref }) => ({
              count: eb(ref(`${table}.count`), '+', ref('excluded.count')),
            })),
        )
        .execute()
    },

    claimVisitors: (limit: number, at: number) =>
      database
        .updateTable('experimentVisitors')
        .set({ countedAt: at })
        .where('countedAt', 'is', null)
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('runId', 'trackerUuid'),
            'in',
            selectFrom('experimentVisitors as uncounted')
              .select(['uncounted.runId', 'uncounted.trackerUuid'])
              .where('uncounted.countedAt', 'is', null)
              .orderBy('uncounted.exposedAt')
              .limit(limit)
              .$asTuple('runId', 'trackerUuid'),
          ),
        )
        .returning(['runId', 'variant', 'organizationCode'])
        .execute(),

    /** The exposures of these visitors to runs, with the end of each run. */
    listExposures: (trackerUuids: readonly string[]) =>
      database
        .selectFrom('experimentVisitors')
        .innerJoin('experimentRuns', 'experimentRuns.id', 'experimentVisitors.runId')
        .select([
          'experimentVisitors.runId',
          'experimentVisitors.trackerUuid',
          'experimentVisitors.variant',
          'experimentVisitors.organizationCode',
          'experimentVisitors.exposedAt',
          'experimentRuns.endedAt',
          'experimentRuns.stopsAt',
        ])
        .where('experimentVisitors.trackerUuid', 'in', padToPowerOfTwo(trackerUuids))
        .execute(),

    /** Returns `false` if the visitor, or the person in another browser, had already reached the outcome. */
    async insertOutcome(outcome: {
      runId: string
      trackerUuid: string
      identityId: string
      outcome: string
      reachedAt: number
    }): Promise<boolean> {
      const row = await database
        .insertInto('experimentOutcomes')
        .values(outcome)
        .onConflict((conflict) => conflict.doNothing())
        .returning('runId')
        .executeTakeFirst()
      return row !== undefined
    },

    async addVisitors(row: {
      runId: string
      variant: string
      organizationCode: string
      outcome: string
      visitors: number
    }): Promise<void> {
      await database
        .insertInto('experimentCounts')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['runId', 'variant', 'organizationCode', 'outcome'])
            .doUpdateSet(({ eb, ref }) => ({
              visitors: eb(ref('experimentCounts.visitors'), '+', ref('excluded.visitors')),
            })),
        )
        .execute()
    },
  }
}

/** Pads to a power of two by repeating the last value, so that few distinct statements are prepared. */
function padToPowerOfTwo(values: readonly string[]): readonly string[] {
  const last = values.at(-1) ?? ''
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  return [...values, ...Array.from({ length: length - values.length }, () => last)]
}
