import { type ExpressionBuilder, type Insertable, type Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables, WebhookEndpointsTable } from '../database/tables.ts'
import type { EndpointState } from './retries.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>

/** The webhook endpoints of organizations. A lane is one node's lease to send to one endpoint. */
export function webhookEndpointsStore(database: Database) {
  return {
    list: (): Promise<EndpointRow[]> =>
      database
        .selectFrom('webhookEndpoints')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('id')
        .execute(),

    /** Counts the failing and the disabled endpoints. */
    countFailing: () =>
      database
        .selectFrom('webhookEndpoints')
        .select(({ fn, eb }) => [
          fn
            .countAll<number>()
            .filterWhere(eb.and([eb('failures', '>', 0), eb('disabledAt', 'is', null)]))
            .as('failing'),
          fn.count<number>('disabledAt').as('disabled'),
        ])
        .where('removedAt', 'is', null)
        .executeTakeFirstOrThrow(),

    /** Adds an endpoint, or changes its settings and keeps its state. */
    async upsert(
      endpoint: Pick<
        Insertable<WebhookEndpointsTable>,
        'id' | 'organizationCode' | 'url' | 'kinds' | 'secrets' | 'contact' | 'createdAt'
      >,
    ): Promise<void> {
      const { id, createdAt, ...settings } = endpoint
      await database
        .insertInto('webhookEndpoints')
        .values({ id, createdAt, ...settings, laneUntil: 0, failures: 0, pausedUntil: 0 })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ ...settings, removedAt: null }),
        )
        .execute()
    },

    /** Removes all endpoints except these. Their deliveries wait in case they return. */
    async removeExcept(ids: readonly string[], at: number): Promise<void> {
      await database
        .updateTable('webhookEndpoints')
        .set({ removedAt: at })
        .where('removedAt', 'is', null)
        .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
        .execute()
    },

    /**
     * Claims the lanes of endpoints with due deliveries, so that no other node sends to them before `until`. A time after
     * `latest` was set by a wrong clock and counts as past.
     */
    claimLanes({
      holder,
      limit,
      at,
      until,
      latest,
    }: {
      readonly holder: string
      readonly limit: number
      readonly at: number
      readonly until: number
      readonly latest: number
    }): Promise<EndpointRow[]> {
      const isPast = (column: 'laneUntil' | 'pausedUntil') => isDue(column, at, latest)
      return database
        .updateTable('webhookEndpoints')
        .set({ laneUntil: until, laneHolder: holder })
        .where(isPast('laneUntil'))
        .where('id', 'in', (query) =>
          query
            .selectFrom('webhookEndpoints')
            .select('id')
            .where(isPast('laneUntil'))
            .where(isPast('pausedUntil'))
            .where('disabledAt', 'is', null)
            .where('removedAt', 'is', null)
            .where(({ exists, selectFrom }) =>
              exists(
                selectFrom('webhookDeliveries')
                  .select('eventId')
                  .whereRef('endpointId', '=', 'webhookEndpoints.id')
                  .where(({ eb, or }) =>
                    or([eb('nextAttemptAt', '<=', at), eb('nextAttemptAt', '>', latest)]),
                  ),
              ),
            )
            .orderBy('laneUntil')
            .limit(limit),
        )
        .returningAll()
        .execute()
    },

    /** Extends a lane to `until`. Returns `false` if another node holds it, or if the endpoint is disabled or removed. */
    async renewLane(id: string, holder: string, until: number): Promise<boolean> {
      const row = await database
        .updateTable('webhookEndpoints')
        .set({ laneUntil: until })
        .where('id', '=', id)
        .where('laneHolder', '=', holder)
        .where('disabledAt', 'is', null)
        .where('removedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    async releaseLane(id: string, holder: string): Promise<void> {
      await database
        .updateTable('webhookEndpoints')
        .set({ laneUntil: 0, laneHolder: null })
        .where('id', '=', id)
        .where('laneHolder', '=', holder)
        .execute()
    },

    /** Sets the state of an endpoint. Returns `false` if `holder` does not hold its lane. */
    async updateState(id: string, holder: string, state: EndpointState): Promise<boolean> {
      const row = await database
        .updateTable('webhookEndpoints')
        .set(state)
        .where('id', '=', id)
        .where('laneHolder', '=', holder)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Turns an endpoint on again. Returns `false` if it is unknown. */
    async enable(id: string): Promise<boolean> {
      const row = await database
        .updateTable('webhookEndpoints')
        .set({ disabledAt: null, failingSince: null, failures: 0, pausedUntil: 0 })
        .where('id', '=', id)
        .where('removedAt', 'is', null)
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },
  }
}

const isDue =
  (column: 'laneUntil' | 'pausedUntil', at: number, latest: number) =>
  ({ eb }: ExpressionBuilder<Tables, 'webhookEndpoints'>) =>
    eb.or([eb(column, '<=', at), eb(column, '>', latest)])
