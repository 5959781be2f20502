import type { Scope } from '@portico/rules/operator-permissions'
import type { Database } from '../../database/database.ts'
import { inScope } from '../scope.ts'

/** A query's period and filters, within the operator's scope. */
export interface InsightRange {
  readonly from: number
  /** Exclusive. */
  readonly until: number
  readonly scope: Scope
  readonly organizationCode?: string | undefined
  readonly label?: string | undefined
  readonly device?: string | undefined
}

/** Reads the aggregated counts, never the events. */
export function insightStore(database: Database) {
  const within = (
    table: 'insightHours' | 'insightDays',
    metrics: readonly string[],
    { from, until, scope, organizationCode, label, device }: InsightRange,
  ) => {
    let query = database
      .selectFrom(table)
      .where('metric', 'in', metrics)
      .where('startsAt', '>=', from)
      .where('startsAt', '<', until)
      .where(inScope(scope, 'organizationCode'))
    if (organizationCode !== undefined) {
      query = query.where('organizationCode', '=', organizationCode)
    }
    if (label !== undefined) query = query.where('label', '=', label)
    if (device !== undefined) query = query.where('device', '=', device)
    return query
  }

  return {
    /** The total of each metric. */
    async totals(metrics: readonly string[], range: InsightRange): Promise<Map<string, number>> {
      const rows = await within('insightDays', metrics, range)
        .select(({ fn }) => ['metric', fn.sum<number | string>('count').as('count')])
        .groupBy('metric')
        .execute()
      return new Map(rows.map(({ metric, count }) => [metric, Number(count)]))
    },

    /** A metric by time, and also by `column` if it is given. */
    async series(
      table: 'insightHours' | 'insightDays',
      metric: string,
      range: InsightRange,
      by: 'organizationCode' | 'label' | 'device' | undefined,
    ): Promise<readonly { startsAt: number; name: string; count: number }[]> {
      const query = within(table, [metric], range)
      if (by === undefined) {
        const rows = await query
          .select(({ fn }) => ['startsAt', fn.sum<number | string>('count').as('count')])
          .groupBy('startsAt')
          .execute()
        return rows.map(({ startsAt, count }) => ({ startsAt, name: '', count: Number(count) }))
      }
      const rows = await query
        .select(({ fn, ref }) => [
          'startsAt',
          ref(by).as('name'),
          fn.sum<number | string>('count').as('count'),
        ])
        .groupBy(['startsAt', by])
        .execute()
      return rows.map(({ startsAt, name, count }) => ({ startsAt, name, count: Number(count) }))
    },

    /** The start of the earliest visit or event not counted yet; undefined if all are counted. */
    async firstUncounted(): Promise<number | undefined> {
      const [session, event] = await Promise.all(
        (['telemetrySessions', 'telemetryEvents'] as const).map((table) =>
          database
            .selectFrom(table)
            .select('createdAt')
            .where('countedAt', 'is', null)
            .orderBy('createdAt')
            .limit(1)
            .executeTakeFirst(),
        ),
      )
      const times = [session, event].flatMap((row) => (row === undefined ? [] : [row.createdAt]))
      return times.length === 0 ? undefined : Math.min(...times)
    },
  }
}
