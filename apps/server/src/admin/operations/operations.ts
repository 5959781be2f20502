/** What operators see of the installation: its nodes, what waits, and the certificates that end soon. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import {
  type Operations,
  WAITING_MAXIMUM,
  type WaitingMessages,
} from '@portico/contracts/admin/operations'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { isInScope } from '@portico/rules/operator-permissions'
import type { Logger } from 'pino'
import type { AuditSource } from '../../audit/audit.store.ts'
import { lastExpiry } from '../../broker/setup/certificate-warnings.ts'
import type { Clock } from '../../clock.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { parsePlace } from '../keyset.ts'
import type { Operator } from '../operators/operators.ts'

const REPORT_EVERY_MS = 15_000
/** A node that did not report for longer does not run, or has no database. */
const SEEN_WITHIN_MS = 60_000
const NODES_SHOWN = 100
const CERTIFICATES_SHOWN = 50

interface OperationsDeps {
  readonly stores: TransactionalStores<
    'audit' | 'messages' | 'nodes' | 'providers' | 'webhookDeliveries' | 'webhookEndpoints'
  >
  readonly engine: Operations['database']['engine']
  readonly clock: Clock
}

export function operations({ stores, engine, clock }: OperationsDeps) {
  /** Messages belong to no organization. */
  const isOfAll = (operator: Operator) => operator.scopeOf('operations.read').all === true

  return {
    async read(operator: Operator): Promise<Operations> {
      const begin = performance.now()
      const nodes = await stores.nodes.listSeenAfter(clock() - SEEN_WITHIN_MS, NODES_SHOWN)
      const latencyMs = performance.now() - begin
      const scope = operator.scopeOf('operations.read')
      const certificates = (await stores.providers.listEnabled())
        .filter(({ organizationCode }) => isInScope(scope, organizationCode))
        .flatMap((provider) => {
          const expiresAt = lastExpiry(provider)
          const { organizationCode, name } = provider
          return expiresAt === undefined ? [] : [{ organizationCode, provider: name, expiresAt }]
        })
        .toSorted((one, other) => one.expiresAt - other.expiresAt)
        .slice(0, CERTIFICATES_SHOWN)
      return {
        nodes: nodes.map(({ id, ...node }) => ({ nodeId: id, ...node })),
        database: { engine, latencyMs },
        ...(isOfAll(operator) ? await readBacklog() : { outbox: null, webhooks: null }),
        certificates,
      }
    },

    /** @throws Refusal - `not-permitted` for operators of some organizations only */
    async listMessages(after: string | undefined, operator: Operator): Promise<WaitingMessages> {
      if (!isOfAll(operator)) throw new Refusal('not-permitted')
      const place = after === undefined ? undefined : parsePlace(after)
      const rows = await stores.messages.listWaiting({
        after: place && { nextAttemptAt: place.createdAt, id: place.id },
        limit: ADMIN_PAGE_SIZE + 1,
      })
      const page = rows.slice(0, ADMIN_PAGE_SIZE)
      const last = page.at(-1)
      return {
        items: page.map(({ id, recipient, ...message }) => ({
          messageUuid: id,
          ...message,
          recipient: shortened(recipient),
        })),
        next: rows.length > page.length && last ? `${last.nextAttemptAt}.${last.id}` : null,
      }
    },

    /** @throws Refusal - `not-permitted` for operators of some organizations only */
    retryMessages(
      { reason }: { readonly reason: string },
      { operator, visitor }: { readonly operator: Operator; readonly visitor: AuditSource },
    ): Promise<{ changed: number }> {
      if (operator.scopeOf('operations.write').all !== true) throw new Refusal('not-permitted')
      return stores.atomically(async ({ audit, messages }) => {
        const at = clock()
        const changed = await messages.updateAllDue(at)
        await audit.record(
          'messages-retried',
          {
            identityId: null,
            at,
            operator,
            details: { messages: changed, reason: reason.trim() },
          },
          visitor,
        )
        return { changed }
      })
    },
  }

  async function readBacklog() {
    const [email, sms, webhooks, endpoints] = await Promise.all([
      stores.messages.backlog('email', WAITING_MAXIMUM),
      stores.messages.backlog('sms', WAITING_MAXIMUM),
      stores.webhookDeliveries.backlog(WAITING_MAXIMUM),
      stores.webhookEndpoints.countFailing(),
    ])
    const waitingOf = ({ count, since }: { count: number; since: number | null }) => ({
      waiting: count,
      since,
    })
    return {
      outbox: { email: waitingOf(email), sms: waitingOf(sms) },
      webhooks: {
        ...waitingOf(webhooks),
        ...endpoints,
      },
    }
  }
}

/** Enough to see which mail server or country it is about, and not who. */
function shortened(recipient: string): string {
  const [name = '', domain] = recipient.split('@')
  return domain === undefined ? `…${name.slice(-3)}` : `${name.slice(0, 1)}…@${domain}`
}

/** Reports regularly that this node runs. Returns the function that stops it. */
export function startReporting({
  stores,
  version,
  clock,
  log,
}: {
  readonly stores: Pick<Stores, 'nodes'>
  readonly version: string
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}): () => Promise<void> {
  const node = { id: randomUUID(), version, startedAt: clock() }
  const report = () =>
    stores.nodes
      .report({ ...node, seenAt: clock() })
      .catch((error: unknown) => log.warn({ err: error }, 'the node could not report itself'))
  let last = report()
  const reporting = setInterval(() => {
    last = report()
  }, REPORT_EVERY_MS)
  return async () => {
    clearInterval(reporting)
    await last
    await stores.nodes.delete(node.id).catch(() => undefined) // It is forgotten within a minute anyway.
  }
}
