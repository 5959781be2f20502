/**
 * Gauges for work waiting in the database. All nodes show the same values. Scrapes read them at most every ten seconds,
 * count large backlogs only partially, and never fail or wait long: without the database the values are NaN.
 */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import { resultWithin } from '../redis/redis.ts'
import type { Stores } from '../stores.ts'

const READ_INTERVAL_MS = 10_000
const TIMEOUT_MS = 1000
/** The maximum number of rows counted. */
const MAX_COUNTED_ROWS = 10_000

interface BacklogDeps {
  readonly stores: Pick<Stores, 'messages' | 'openid' | 'webhookDeliveries' | 'webhookEndpoints'>
  readonly clock: Clock
}

async function readBacklog({ stores, clock }: BacklogDeps) {
  const [email, sms, webhooks, endpoints, logouts] = await Promise.all([
    stores.messages.backlog('email', MAX_COUNTED_ROWS),
    stores.messages.backlog('sms', MAX_COUNTED_ROWS),
    stores.webhookDeliveries.backlog(MAX_COUNTED_ROWS),
    stores.webhookEndpoints.countFailing(),
    stores.openid.countRepeatedLogouts(clock(), MAX_COUNTED_ROWS),
  ])
  return { email, sms, webhooks, endpoints, logouts }
}

type Backlog = Awaited<ReturnType<typeof readBacklog>>

export function backlogMetrics(registry: Registry, deps: BacklogDeps): void {
  let latest: Promise<Backlog | undefined> | undefined
  let readAt = 0
  /** The backlog, read once per scrape for all gauges. */
  function current(): Promise<Backlog | undefined> {
    if (latest === undefined || performance.now() - readAt > READ_INTERVAL_MS) {
      readAt = performance.now()
      latest = resultWithin(TIMEOUT_MS, readBacklog(deps))
    }
    return latest
  }

  const addGauge = (
    name: string,
    help: string,
    label: string | undefined,
    values: Readonly<Record<string, (backlog: Backlog) => number>>,
  ) =>
    void new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [registry],
      async collect() {
        const backlog = await current()
        for (const [of, read] of Object.entries(values)) {
          const value = backlog === undefined ? Number.NaN : read(backlog)
          if (label === undefined) this.set(value)
          else this.set({ [label]: of }, value)
        }
      },
    })
  const ageOf = ({ since }: { readonly since: number | null }) =>
    since === null ? 0 : Math.max(0, (deps.clock() - since) / 1000)

  addGauge(
    'portico_outbox_waiting',
    `Mails (email) and text messages (sms) that wait to be sent, up to ${MAX_COUNTED_ROWS}.`,
    'channel',
    { email: ({ email }) => email.count, sms: ({ sms }) => sms.count },
  )
  addGauge(
    'portico_outbox_oldest_seconds',
    'How long the oldest of these messages has waited.',
    'channel',
    { email: ({ email }) => ageOf(email), sms: ({ sms }) => ageOf(sms) },
  )
  addGauge(
    'portico_webhooks_waiting',
    `Events that wait to be sent to an enabled webhook endpoint, up to ${MAX_COUNTED_ROWS}.`,
    undefined,
    { all: ({ webhooks }) => webhooks.count },
  )
  addGauge(
    'portico_webhooks_oldest_seconds',
    'How long the oldest of these events has waited.',
    undefined,
    { all: ({ webhooks }) => ageOf(webhooks) },
  )
  addGauge(
    'portico_webhook_endpoints',
    'Webhook endpoints that fail at present, or are disabled.',
    'state',
    {
      failing: ({ endpoints }) => endpoints.failing,
      disabled: ({ endpoints }) => endpoints.disabled,
    },
  )
  addGauge(
    'portico_openid_logouts_waiting',
    `Logouts of which an application did not accept the notice yet, up to ${MAX_COUNTED_ROWS}.`,
    undefined,
    { all: ({ logouts }) => logouts },
  )
}
