/**
 * Sends webhooks. Each endpoint has a lane, leased by one node at a time, so a slow, hostile or unreachable endpoint does not
 * delay others, and nothing is sent twice at once. Delivery is at least once: if a process ends between the response and
 * storing it, the event is sent again with the same ID.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Organizations } from '../brands/brands.ts'
import { type Clock, latestExpiry } from '../clock.ts'
import type { Config } from '../config.ts'
import { type OutboundResponse, outboundUrl, postOutbound } from '../http/outbound-post.ts'
import { automaticSender } from '../mail/layout.ts'
import { webhookDisabledMail } from '../mail/mails.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import type { TransactionalStores } from '../stores.ts'
import { type StartTrace, traceHeaders } from '../tracing/tracing.ts'
import type { CountAttempt } from './metrics.ts'
import {
  type AttemptResult,
  type EndpointState,
  MAX_RETRY_DELAY_MS,
  nextState,
  retryDelay,
} from './retries.ts'
import { webhookHeaders } from './sign-webhook.ts'
import type { DeliveryRow } from './webhook-deliveries.store.ts'
import type { EndpointRow } from './webhook-endpoints.store.ts'
import { secretsOf } from './webhook-endpoints.ts'
import { webhookPayload } from './webhook-payload.ts'
import { allowedHosts } from './webhook-url.ts'

const POLL_MS = 250
const TIMEOUT_MS = 15_000
/** Longer than an attempt, so that a lease never expires during one. */
const LANE_MS = 2 * TIMEOUT_MS
/** The maximum number of lanes that a node runs at once. */
const MAX_LANES = 256
/** The concurrent requests to one endpoint. An endpoint that fails gets one at a time. */
const CONCURRENT = 8
/** How long an event from a later version waits before the next attempt, in case a node of that version handles it. */
const UNKNOWN_WAIT_MS = 60_000

interface SenderDeps {
  readonly stores: TransactionalStores<'messages' | 'webhookDeliveries' | 'webhookEndpoints'>
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'add'>
  readonly organizations: Pick<Organizations, 'withCode'>
  readonly config: Pick<Config, 'port' | 'production' | 'publicUrl' | 'webhookHosts'>
  readonly countAttempt: CountAttempt
  readonly startTrace: StartTrace
  readonly log: Logger
}

/** Starts sending due webhooks. Returns a function that stops it. */
export function startWebhookSender(deps: SenderDeps): () => Promise<void> {
  const { stores, vault, clock, config, countAttempt, startTrace, log } = deps
  const holder = randomUUID()
  const closing = new AbortController()
  const lanes = new Set<Promise<void>>()
  async function startLanes(): Promise<void> {
    const limit = MAX_LANES - lanes.size
    if (limit === 0) return
    const at = clock()
    const due = { holder, limit, at, until: at + LANE_MS, latest: latestTime(at) }
    for (const endpoint of await stores.webhookEndpoints.claimLanes(due)) {
      const lane = runLane(endpoint)
        .catch((error: unknown) =>
          log.error({ err: error, endpoint: endpoint.id }, 'sending webhooks failed'),
        )
        .finally(() => lanes.delete(lane))
      lanes.add(lane)
    }
  }

  /** Sends until nothing is due, or the endpoint fails. */
  async function runLane(endpoint: EndpointRow): Promise<void> {
    let state: EndpointState = endpoint
    try {
      while (!closing.signal.aborted) {
        const at = clock()
        const due = await stores.webhookDeliveries.listDue(endpoint.id, {
          limit: state.failures > 0 ? 1 : CONCURRENT,
          at,
          latest: latestTime(at),
        })
        if (due.length === 0) break
        if (!(await stores.webhookEndpoints.renewLane(endpoint.id, holder, at + LANE_MS))) return
        const sending = due.map((each) =>
          startTrace('webhook delivery', () => attempt(endpoint, each)),
        )
        // If the result of one cannot be stored, the lane is released only after the others have ended.
        await Promise.allSettled(sending)
        const attempts = await Promise.all(sending)
        if (closing.signal.aborted) break
        const results = attempts.filter((result) => result !== undefined)
        if (results.length === 0) continue
        const next = nextState(state, results, clock())
        if (next === undefined) continue
        state = next
        await storeState(endpoint, state)
        if (state.failures > 0) break
      }
    } finally {
      await stores.webhookEndpoints.releaseLane(endpoint.id, holder)
    }
  }

  /** Sends an event and stores the result. Returns undefined for an event of a later version, which then waits. */
  async function attempt(
    endpoint: EndpointRow,
    delivery: DeliveryRow,
  ): Promise<AttemptResult | undefined> {
    const { eventId, attempts, details, ...event } = delivery
    const payload = webhookPayload({
      ...event,
      organization: endpoint.organizationCode,
      details: JSON.parse(details) as Record<string, string | number>, // Written as JSON.
    })
    if (payload === undefined) {
      await stores.webhookDeliveries.update(
        { endpointId: endpoint.id, eventId },
        {
          attempts,
          nextAttemptAt: clock() + UNKNOWN_WAIT_MS,
          deliveredAt: null,
          lastResult: 'event of a later version',
        },
      )
      return undefined
    }
    const url = outboundUrl(endpoint.url, allowedHosts(endpoint.url, config))
    const response = url && (await post(url, endpoint, { eventId, body: JSON.stringify(payload) }))
    const at = clock()
    // A request aborted by shutdown is still due.
    if (closing.signal.aborted && response === undefined) return { delivered: false }
    const delivered = response !== undefined && response.status >= 200 && response.status < 300
    const count = attempts + 1
    const { retryAfter } = response ?? {}
    const pause = delivered
      ? undefined
      : retryDelay(count, { retryAfter, at, random: Math.random() })
    await stores.webhookDeliveries.update(
      { endpointId: endpoint.id, eventId },
      {
        attempts: count,
        nextAttemptAt: pause === undefined ? null : Math.round(at + pause),
        deliveredAt: delivered ? at : null,
        lastResult: response
          ? `${response.status}`
          : url === undefined
            ? 'address not allowed'
            : 'no response',
      },
    )
    countAttempt(delivered ? 'delivered' : pause === undefined ? 'given-up' : 'failed')
    return { delivered, response }
  }

  function post(
    url: URL,
    endpoint: EndpointRow,
    { eventId, body }: { readonly eventId: string; readonly body: string },
  ): Promise<OutboundResponse | undefined> {
    const signed = { id: `msg_${eventId}`, body, at: clock() }
    return postOutbound(url, {
      hosts: allowedHosts(endpoint.url, config),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Portico-Webhooks',
        ...webhookHeaders(signed, secretsOf(vault, endpoint.secrets)),
        ...traceHeaders(),
      },
      body,
      signal: closing.signal,
      timeoutMs: TIMEOUT_MS,
    })
  }

  /** Stores the state and, if the endpoint is now disabled, notifies its contact by mail. */
  async function storeState(endpoint: EndpointRow, state: EndpointState): Promise<void> {
    const { id, organizationCode, contact, url } = endpoint
    await stores.atomically(async (transaction) => {
      if (!(await transaction.webhookEndpoints.updateState(id, holder, state))) return
      if (state.disabledAt === null) return
      log.warn({ endpoint: id, organization: organizationCode }, 'a webhook endpoint is disabled')
      const organization = deps.organizations.withCode(organizationCode)
      if (organization === undefined) return
      const mail = { email: contact, endpoint: id, host: new URL(url).host }
      const sender = automaticSender(organization, config)
      await deps.outbox.add(transaction, webhookDisabledMail(sender, mail))
    })
  }

  const polling = (async () => {
    while (!closing.signal.aborted) {
      await startLanes().catch((error: unknown) =>
        log.error({ err: error }, 'finding due webhooks failed'),
      )
      await wait(POLL_MS, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  })()

  return async () => {
    closing.abort()
    await polling
    await Promise.all(lanes)
  }
}

const latestTime = (at: number) => latestExpiry(at, MAX_RETRY_DELAY_MS)
