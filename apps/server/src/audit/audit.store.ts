import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Visitor } from '../http/visitor.ts'
import { AUDIT_EVENTS, type AuditKind } from './audit-events.ts'

/** What a security event is about. Its details contain no secret, code, token or e-mail address. */
interface AuditSubject {
  readonly identityId: string | null
  readonly at: number
  /** Defaults to the organization of the visitor's page. */
  readonly organizationCode?: string
  readonly details?: Readonly<Record<string, string | number>>
  /** Who did it, if it was done through the console or the admin API. */
  readonly operator?: AuditOperator
}

/** The approval of an act by a second operator. */
export interface ActApproval {
  /** The request that was approved, which the act marks as done. */
  readonly actRequest: string
  /** The identity of the second operator. */
  readonly approvedBy: string
}

/** The identity of an operator, or a service token; undefined for the command line. */
interface AuditOperator {
  readonly id: string | undefined
  readonly approval?: ActApproval
}

/** The visitor who caused an event. */
export type AuditSource = Pick<Visitor, 'network'> &
  Partial<Pick<Visitor, 'operatorId'>> & {
    readonly organization: Pick<Visitor['organization'], 'orgCode'>
  }

/** The append-only log of security events. */
export function auditStore(database: Database) {
  return {
    /** Stores an event and, in the same transaction, its deliveries to the organization's webhooks. */
    async record(
      kind: AuditKind,
      { identityId, at, organizationCode, details = {}, operator }: AuditSubject,
      { organization, network, operatorId }: AuditSource,
    ): Promise<void> {
      const id = randomUUID()
      const pageCode = organization.orgCode
      const store = async (transaction: Database) => {
        await transaction
          .insertInto('auditEvents')
          .values({
            id,
            createdAt: at,
            kind,
            identityId,
            organizationCode: organizationCode ?? pageCode,
            network,
            details: JSON.stringify({ ...details, ...operator?.approval }),
            operatorId: operator?.id ?? operatorId ?? null,
          })
          .execute()
        if (operator?.approval !== undefined) await markDone(transaction, operator.approval)
        // The statement also runs for unknown addresses; otherwise response times would reveal which addresses have
        // accounts.
        const isDelivered = identityId !== null || AUDIT_EVENTS[kind].about !== 'account'
        await transaction
          .insertInto('webhookDeliveries')
          .columns(['eventId', 'endpointId', 'createdAt', 'attempts', 'nextAttemptAt'])
          .expression(({ selectFrom }) =>
            selectFrom('webhookEndpoints')
              .select([
                sql<string>`cast(${id} as text)`.as('eventId'),
                'id',
                sql<number>`cast(${at} as bigint)`.as('createdAt'),
                sql<number>`0`.as('attempts'),
                sql<number>`cast(${at} as bigint)`.as('nextAttemptAt'),
              ])
              .where('organizationCode', '=', receiverOf(organizationCode, identityId, pageCode))
              .where('removedAt', 'is', null)
              .where('kinds', 'like', isDelivered ? `% ${kind} %` : ''),
          )
          .execute()
      }
      await (database.isTransaction ? store(database) : database.transaction().execute(store))
    },

    /** The latest events of an identity, newest first: `only` these kinds, or all `except` these. */
    listLatest: (
      identityId: string,
      {
        limit,
        ...filter
      }: { readonly limit: number } & (
        | { readonly only: readonly AuditKind[] }
        | { readonly except: readonly AuditKind[] }
      ),
    ) =>
      database
        .selectFrom('auditEvents')
        .select(['createdAt as at', 'kind', 'network'])
        .where('identityId', '=', identityId)
        .where(({ eb }) =>
          'only' in filter ? eb('kind', 'in', filter.only) : eb('kind', 'not in', filter.except),
        )
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(limit)
        .execute(),
  }
}

/** In the act's transaction, so that the request records whether it was done even if the server crashes. */
async function markDone(database: Database, { actRequest }: ActApproval): Promise<void> {
  const row = await database
    .updateTable('actRequests')
    .set({ state: 'done' })
    .where('id', '=', actRequest)
    // An act may have several entries.
    .where('state', 'in', ['running', 'done'])
    .returning('id')
    .executeTakeFirst()
  if (row === undefined) throw new Error(`The request ${actRequest} is not being carried out`)
}

/**
 * The organization that receives the webhook: the account's own. Other organizations whose pages the person visits must not
 * learn of it.
 */
const receiverOf =
  (named: string | undefined, identityId: string | null, pageCode: string) =>
  ({ selectFrom, fn, val }: ExpressionBuilder<Tables, 'webhookEndpoints'>) =>
    named === undefined
      ? fn.coalesce(
          selectFrom('identities')
            .select('identities.organizationCode')
            .where('identities.id', '=', identityId ?? ''),
          val(pageCode),
        )
      : val(named)
