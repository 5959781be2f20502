/** The command line for webhooks: list endpoints, view their history, redeliver events, enable an endpoint. */
import { WEBHOOK_HISTORY_MS } from '@portico/contracts/limits'
import { AUDIT_EVENTS, isAuditKind } from './audit/audit-events.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openExistingDatabase } from './database/database.ts'
import { requestFromServer } from './operations/operator-socket.ts'
import { allStores, type Stores } from './stores.ts'
import type { EndpointRow } from './webhooks/webhook-endpoints.store.ts'

const USAGE = [
  'npm run webhooks -- list',
  'npm run webhooks -- history ENDPOINT',
  'npm run webhooks -- replay ENDPOINT SINCE [UNTIL], with times such as 2026-11-20T08:00Z',
  'npm run webhooks -- enable ENDPOINT',
]

const HISTORY_LINES = 100

interface WebhookDeps {
  readonly stores: Pick<Stores, 'webhookDeliveries' | 'webhookEndpoints'>
  readonly clock: Clock
}

/**
 * Runs a command.
 *
 * @returns what it prints
 * @throws ConfigError - when an argument is invalid
 */
export async function manageWebhooks(
  deps: WebhookDeps,
  [action, id, ...times]: readonly string[],
): Promise<string> {
  const { stores, clock } = deps
  const endpoints = await stores.webhookEndpoints.list()
  if (action === 'list' && id === undefined) {
    const lines = await Promise.all(endpoints.map((each) => describeEndpoint(deps, each)))
    return lines.join('\n') || 'There are no endpoints. docs/webhooks.md says how to add one.'
  }
  const endpoint = endpoints.find((each) => each.id === id)
  if (action === undefined || !['history', 'replay', 'enable'].includes(action) || !id) {
    throw new ConfigError(USAGE)
  }
  if (endpoint === undefined) throw new ConfigError([`There is no endpoint with the ID ${id}`])
  switch (action) {
    case 'history':
      return describeHistory(deps, endpoint)
    case 'enable':
      await stores.webhookEndpoints.enable(endpoint.id)
      return `${endpoint.id} receives webhooks.`
    default: {
      const period = periodOf(times, clock())
      const count = await stores.webhookDeliveries.replay(endpoint.id, period)
      return `${count} webhooks are sent to ${endpoint.id} again.`
    }
  }
}

async function describeEndpoint({ stores }: WebhookDeps, endpoint: EndpointRow): Promise<string> {
  const { id, organizationCode, url, disabledAt, failingSince } = endpoint
  const { waiting, givenUp } = await stores.webhookDeliveries.count(id)
  const state =
    disabledAt !== null
      ? `disabled since ${isoTime(disabledAt)}`
      : failingSince !== null
        ? `failing since ${isoTime(failingSince)}`
        : 'enabled'
  return `${id}  ${organizationCode}  ${new URL(url).host}  ${state}  ${waiting} waiting, ${givenUp} given up`
}

async function describeHistory(
  { stores }: WebhookDeps,
  { id, disabledAt }: EndpointRow,
): Promise<string> {
  const rows = await stores.webhookDeliveries.listLatest(id, HISTORY_LINES)
  const lines = rows.map(
    ({ eventId, kind, createdAt, attempts, nextAttemptAt, deliveredAt, lastResult }) => {
      const state =
        deliveredAt !== null
          ? `delivered ${isoTime(deliveredAt)}`
          : nextAttemptAt === null
            ? 'given up'
            : disabledAt !== null
              ? 'waits until the endpoint is enabled'
              : `next attempt ${isoTime(nextAttemptAt)}`
      const type = isAuditKind(kind) ? AUDIT_EVENTS[kind].type : kind
      return `${isoTime(createdAt)}  msg_${eventId}  ${type}  ${state}  attempts: ${attempts}, last: ${lastResult ?? 'none'}`
    },
  )
  return lines.join('\n') || `Nothing happened that ${id} receives.`
}

function periodOf([since, until, ...rest]: readonly string[], at: number) {
  const period = { since: Date.parse(since ?? ''), until: until ? Date.parse(until) : at, at }
  if (Number.isNaN(period.since) || Number.isNaN(period.until) || rest.length > 0) {
    throw new ConfigError(USAGE)
  }
  if (period.since > period.until) throw new ConfigError(['SINCE is after UNTIL'])
  if (period.since < at - WEBHOOK_HISTORY_MS) {
    throw new ConfigError([
      'Specify a time within the last 30 days: earlier deliveries are not stored',
    ])
  }
  return period
}

const isoTime = (at: number) => new Date(at).toISOString()

/**
 * Like `manageWebhooks`, from a separate process. With the embedded database, the running server runs the command.
 *
 * @throws ConfigError - when an argument or the configuration is invalid
 */
export async function requestWebhooks(config: Config, words: readonly string[]): Promise<string> {
  if (config.databaseUrl === undefined) {
    const answer = await requestFromServer(config.dataDir, 'webhooks', words.join(' '))
    if (answer !== undefined) return answer
  }
  const database = await openExistingDatabase(config)
  try {
    return await manageWebhooks({ stores: allStores(database), clock: Date.now }, words)
  } finally {
    await database.destroy()
  }
}
