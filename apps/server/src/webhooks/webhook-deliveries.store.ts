import type { ExpressionBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** A delivery with its event. */
export interface DeliveryRow {
  readonly eventId: string
  readonly attempts: number
  readonly kind: string
  readonly at: number
  readonly identityId: string | null
  readonly details: string
  /** The account's current email address; null without an account. */
  readonly email: string | null
}

/** The outbox of webhooks and the history of sent ones. */
export function webhookDeliveriesStore(database: Database) {
  return {
    /** The oldest due deliveries of an endpoint. A time after `latest` was set by a wrong clock and counts as past. */
    listDue: (
      endpointId: string,
      {
        limit,
        at,
        latest,
      }: { readonly limit: number; readonly at: number; readonly latest: number },
    ): Promise<DeliveryRow[]> =>
      database
        .selectFrom('webhookDeliveries')
        .innerJoin('auditEvents', 'auditEvents.id', 'webhookDeliveries.eventId')
        .leftJoin('identities', 'identities.id', 'auditEvents.identityId')
        .select([
          'eventId',
          'attempts',
          'auditEvents.kind',
          'auditEvents.createdAt as at',
          'auditEvents.identityId',
          'auditEvents.details',
          'identities.email',
        ])
        .where('endpointId', '=', endpointId)
        .where(isDue(at, latest))
        .orderBy('webhookDeliveries.createdAt')
        .orderBy('eventId')
        .limit(limit)
        .execute(),

    /** Stores the result of an attempt. Without a next attempt, the delivery succeeded or was abandoned. */
    async update(
      { endpointId, eventId }: { readonly endpointId: string; readonly eventId: string },
      result: {
        readonly attempts: number
        readonly nextAttemptAt: number | null
        readonly deliveredAt: number | null
        readonly lastResult: string
      },
    ): Promise<void> {
      await database
        .updateTable('webhookDeliveries')
        .set(result)
        .where('eventId', '=', eventId)
        .where('endpointId', '=', endpointId)
        .execute()
    },

    /** The latest deliveries of an endpoint, newest first. */
    listLatest: (endpointId: string, limit: number) =>
      database
        .selectFrom('webhookDeliveries')
        .innerJoin('auditEvents', 'auditEvents.id', 'webhookDeliveries.eventId')
        .select([
          'eventId',
          'auditEvents.kind',
          'webhookDeliveries.createdAt',
          'attempts',
          'nextAttemptAt',
          'deliveredAt',
          'lastResult',
        ])
        .where('endpointId', '=', endpointId)
        .orderBy('webhookDeliveries.createdAt', 'desc')
        .orderBy('eventId')
        .limit(limit)
        .execute(),

    /** Counts an endpoint's pending and abandoned deliveries. */
    async count(
      endpointId: string,
    ): Promise<{ readonly waiting: number; readonly givenUp: number }> {
      return await database
        .selectFrom('webhookDeliveries')
        .select(({ fn, eb }) => [
          fn.count<number>('nextAttemptAt').as('waiting'),
          fn
            .countAll<number>()
            .filterWhere(eb.and([eb('nextAttemptAt', 'is', null), eb('deliveredAt', 'is', null)]))
            .as('givenUp'),
        ])
        .where('endpointId', '=', endpointId)
        .executeTakeFirstOrThrow()
    },

    /** Counts pending deliveries to enabled endpoints, up to `limit`, with the time of the oldest. */
    backlog: (limit: number) =>
      database
        .selectFrom((query) =>
          query
            .selectFrom('webhookEndpoints')
            .innerJoin('webhookDeliveries', 'endpointId', 'webhookEndpoints.id')
            .select('webhookDeliveries.createdAt')
            .where('disabledAt', 'is', null)
            .where('removedAt', 'is', null)
            .where('nextAttemptAt', 'is not', null)
            .limit(limit)
            .as('waiting'),
        )
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          fn.min<number | null>('createdAt').as('since'),
        ])
        .executeTakeFirstOrThrow(),

    /** Makes deliveries that were sent or abandoned from `since` until `until` due again. Returns their number. */
    async replay(
      endpointId: string,
      { since, until, at }: { readonly since: number; readonly until: number; readonly at: number },
    ): Promise<number> {
      const { numUpdatedRows } = await database
        .updateTable('webhookDeliveries')
        .set({ attempts: 0, nextAttemptAt: at, deliveredAt: null })
        .where('endpointId', '=', endpointId)
        .where('createdAt', '>=', since)
        .where('createdAt', '<=', until)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
  }
}

const isDue =
  (at: number, latest: number) =>
  ({ eb }: ExpressionBuilder<Tables, 'webhookDeliveries'>) =>
    eb.or([eb('nextAttemptAt', '<=', at), eb('nextAttemptAt', '>', latest)])
