/** The state of the installation: its nodes, queues, rate limits and expiring certificates. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { DirectoryRefusal } from '@portico/contracts/admin/directory-refusals'
import {
  MAX_WAITING,
  NodeState,
  type Operations,
  RATE_LIMITS_SHOWN_MS,
  type WaitingMessages,
} from '@portico/contracts/admin/operations'
import { Refusal } from '@portico/contracts/errors'
import { ADMIN_PAGE_SIZE } from '@portico/contracts/limits'
import { parseJson } from '@portico/contracts/parse-json'
import { isInScope, type Scope } from '@portico/rules/operator-permissions'
import type { Logger } from 'pino'
import type { AuditSource } from '../../audit/audit.store.ts'
import { lastExpiry } from '../../broker/setup/certificate-warnings.ts'
import type { Clock } from '../../clock.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { parseCursor } from '../keyset.ts'
import type { Operator } from '../operators/operators.ts'

const HOUR_MS = 60 * 60 * 1000
const REPORT_INTERVAL_MS = 15_000
/** A node that has not reported for longer has stopped or lost its database connection. */
const LIVE_WITHIN_MS = 60_000
const NODES_SHOWN = 100
const CERTIFICATES_SHOWN = 50
const LIMITS_SHOWN = 20
const DIRECTORY_REFUSALS_SHOWN = 50

const hourOf = (at: number) => at - (at % HOUR_MS)

interface OperationsDeps {
  readonly stores: TransactionalStores<
    | 'audit'
    | 'directoryRefusals'
    | 'messages'
    | 'nodes'
    | 'providers'
    | 'rateLimitRefusals'
    | 'webhookDeliveries'
    | 'webhookEndpoints'
  >
  readonly engine: Operations['database']['engine']
  readonly clock: Clock
}

export function operations({ stores, engine, clock }: OperationsDeps) {
  /** Messages do not belong to an organization. */
  const isOfAll = (operator: Operator) => operator.scopeOf('operations.read').all === true

  return {
    async read(operator: Operator): Promise<Operations> {
      const begin = performance.now()
      const nodes = await stores.nodes.listSeenAfter(clock() - LIVE_WITHIN_MS, NODES_SHOWN)
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
        nodes: nodes.map(({ id, state, ...node }) => ({
          nodeId: id,
          ...node,
          // Stored as JSON by this or another version.
          ...NodeState.safeParse(parseJson(state)).data,
        })),
        database: { engine, latencyMs },
        ...(isOfAll(operator)
          ? await readWhole()
          : { outbox: null, webhooks: null, rateLimits: null }),
        certificates,
        directoryRefusals: await listDirectoryRefusals(scope),
      }
    },

    /** @throws Refusal - `not-permitted` for operators of some organizations only */
    async listMessages(after: string | undefined, operator: Operator): Promise<WaitingMessages> {
      if (!isOfAll(operator)) throw new Refusal('not-permitted')
      const cursor = after === undefined ? undefined : parseCursor(after)
      const rows = await stores.messages.listWaiting({
        after: cursor && { nextAttemptAt: cursor.createdAt, id: cursor.id },
        limit: ADMIN_PAGE_SIZE + 1,
      })
      const page = rows.slice(0, ADMIN_PAGE_SIZE)
      const last = page.at(-1)
      return {
        items: page.map(({ id, recipient, ...message }) => ({
          messageUuid: id,
          ...message,
          recipient: maskRecipient(recipient),
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

  async function listDirectoryRefusals(scope: Scope): Promise<Operations['directoryRefusals']> {
    const codes = scope.all === true ? undefined : scope.organizationCodes
    const rows = await stores.directoryRefusals.list(codes, DIRECTORY_REFUSALS_SHOWN)
    return rows.flatMap(({ content, ...row }) => {
      // Stored as JSON by this or another version.
      const { data } = DirectoryRefusal.safeParse(parseJson(content))
      return data === undefined ? [] : [{ ...row, ...data }]
    })
  }

  async function readWhole() {
    const since = hourOf(clock() - RATE_LIMITS_SHOWN_MS)
    const [email, sms, webhooks, endpoints, refusals] = await Promise.all([
      stores.messages.backlog('email', MAX_WAITING),
      stores.messages.backlog('sms', MAX_WAITING),
      stores.webhookDeliveries.backlog(MAX_WAITING),
      stores.webhookEndpoints.countFailing(),
      stores.rateLimitRefusals.listSince(since, LIMITS_SHOWN),
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
      rateLimits: refusals.map(({ limitName, refused, lastHour }) => ({
        limit: limitName,
        refused,
        lastHour,
      })),
    }
  }
}

/** Keeps the mail domain or country code and hides the rest. */
function maskRecipient(recipient: string): string {
  const [name = '', domain] = recipient.split('@')
  return domain === undefined ? `…${name.slice(-3)}` : `${name.slice(0, 1)}…@${domain}`
}

/** Periodically reports that this node is running and what its rate limits refused. Returns a function that stops it. */
export function startReporting({
  stores,
  version,
  readState,
  takeRefusals,
  flushDirectoryRefusals,
  clock,
  log,
}: {
  readonly stores: Pick<Stores, 'nodes' | 'rateLimitRefusals'>
  readonly version: string
  readonly readState: () => Promise<NodeState>
  readonly takeRefusals: () => ReadonlyMap<string, number>
  readonly flushDirectoryRefusals: () => Promise<void>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}): () => Promise<void> {
  const node = { id: randomUUID(), version, startedAt: clock() }
  const unreported = new Map<string, number>()
  async function report(): Promise<void> {
    try {
      const state = JSON.stringify(await readState())
      await stores.nodes.report({ ...node, seenAt: clock(), state })
      await flushDirectoryRefusals()
      for (const [limit, count] of takeRefusals()) {
        unreported.set(limit, (unreported.get(limit) ?? 0) + count)
      }
      if (unreported.size === 0) return
      const refusals = Array.from(unreported, ([limitName, refused]) => ({ limitName, refused }))
      await stores.rateLimitRefusals.add(hourOf(clock()), refusals)
      unreported.clear()
    } catch (error) {
      log.warn({ err: error }, 'the node could not report itself')
    }
  }
  let last = report()
  const reporting = setInterval(() => {
    // One report at a time, so that no refusal is reported twice.
    last = last.then(report)
  }, REPORT_INTERVAL_MS)
  return async () => {
    clearInterval(reporting)
    await last
    await stores.nodes.delete(node.id).catch(() => undefined) // It disappears from the list within a minute anyway.
  }
}
