/**
 * Starts the session in which an operator views a person's pages. The person must belong to the operator's organizations and
 * have no role, because another operator's pages could show more than this operator may see.
 */
import type { impersonatePerson } from '@portico/contracts/admin/people'
import type { Parsed } from '@portico/contracts/call'
import { Refusal } from '@portico/contracts/errors'
import { isInScope } from '@portico/rules/operator-permissions'
import type { Clock } from '../../clock.ts'
import type { Visitor } from '../../http/visitor.ts'
import { accountViewedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import { endView, type Sessions, startOf } from '../../sessions/sessions.ts'
import type { TransactionalStores } from '../../stores.ts'
import type { Operator } from '../operators/operators.ts'

export function impersonation(deps: {
  readonly stores: TransactionalStores<
    'audit' | 'identities' | 'identityRoles' | 'messages' | 'sessions'
  >
  readonly sessions: Sessions
  readonly clock: Clock
  readonly outbox: Outbox
}) {
  const { stores, sessions, clock, outbox } = deps

  return (
    { identityUuid, reason }: Parsed<(typeof impersonatePerson)['body']>,
    { operator, visitor }: { readonly operator: Operator; readonly visitor: Visitor },
  ): Promise<Parsed<(typeof impersonatePerson)['answer']>> =>
    stores.atomically(async (transaction) => {
      const { audit, identities, identityRoles } = transaction
      const { id: operatorId, sessionId } = operator
      // Service tokens cannot view people's pages.
      if (sessionId === undefined) throw new Refusal('not-permitted')
      // Locked first, so that of concurrent starts by one operator only the last session stays open.
      await identities.findForUpdate(operatorId)
      const identity = await identities.findForUpdate(identityUuid)
      const scope = operator.scopeOf('people.impersonate')
      if (identity === undefined || !isInScope(scope, identity.organizationCode)) {
        throw new Refusal('not-found')
      }
      const isOperator = (await identityRoles.listGrants(identity.id)).length > 0
      if (identity.id === operatorId || isOperator) throw new Refusal('not-permitted')
      const at = clock()
      for (const view of await transaction.sessions.listViews(at, { operatorId })) {
        await endView(transaction, view, visitor)
      }
      const opened = await sessions.openViewing(transaction, identity, visitor, {
        id: operatorId,
        sessionId,
      })
      await outbox.add(
        transaction,
        accountViewedMail(visitor.senderTo(identity.organizationCode), {
          email: identity.email,
          at,
        }),
      )
      await audit.record(
        'impersonation-started',
        {
          identityId: identity.id,
          at,
          organizationCode: identity.organizationCode,
          operator,
          details: { session: opened.sessionId, reason: reason.trim() },
        },
        visitor,
      )
      return { jwt: opened.jwt, sessionUuid: opened.sessionId, endsAt: opened.endsAt }
    })
}

/** Ends and audits the views that have expired. The audit entry has the time of the end. */
export async function endExpiredViews({
  stores,
  clock,
}: {
  readonly stores: TransactionalStores<'audit' | 'sessions'>
  readonly clock: Clock
}): Promise<void> {
  for (const view of await stores.sessions.listViews(clock())) {
    await stores.atomically((transaction) => endView(transaction, view, startOf(view)))
  }
}
