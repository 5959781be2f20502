import { Refusal } from '@portico/contracts/errors'
import type { EventPayload } from '@portico/contracts/telemetry'
import { maskedParams, maskedPath, maskedProperties } from '@portico/rules/telemetry-masking'
import type { Clock } from '../clock.ts'
import type { TelemetryEventsTable } from '../database/tables.ts'
import type { TransactionalStores } from '../stores.ts'
import { eventId } from './event-id.ts'
import { grouped } from './grouped.ts'
import type { TelemetryMetrics } from './metrics.ts'

/** A received event and its context. */
export interface ReceivedEvent {
  readonly event: EventPayload
  /** Identifies the request; a retry has the same id. */
  readonly sendingId: string
  readonly domain: string
  readonly identityId: string | null
  readonly organizationCode: string
}

const GROUP_SIZE = 512
const WAITING_MAXIMUM = 10_000
/** When a client should retry if too many events are waiting. */
const RETRY_AFTER_S = 30
/** The maximum number of cached session ids; the oldest are removed first. */
const KNOWN_SESSIONS_MAXIMUM = 50_000

/**
 * Stores events, many per commit, and responds once an event is stored. Data that the client left unmasked is masked
 * here. The identity comes from the session and the domain from the server, never from the event.
 */
export function recordEvent({
  stores,
  clock,
  metrics,
}: {
  readonly stores: TransactionalStores<'telemetry'>
  readonly clock: Clock
  readonly metrics: TelemetryMetrics
}): (received: ReceivedEvent) => Promise<void> {
  const known = new Set<string>()

  async function lookUp(uuids: readonly string[]): Promise<void> {
    const unknown = [...new Set(uuids)].filter((uuid) => !known.has(uuid))
    if (unknown.length === 0) return
    for (const uuid of await stores.telemetry.sessionsAmong(unknown)) known.add(uuid)
    for (const uuid of known) {
      if (known.size <= KNOWN_SESSIONS_MAXIMUM) break
      known.delete(uuid)
    }
  }

  async function store(
    rows: readonly TelemetryEventsTable[],
  ): Promise<readonly ('stored' | 'deduped' | 'unknown')[]> {
    await lookUp(rows.map((row) => row.sessionUuid))
    // Sorted, because nodes that insert the same events in different order could deadlock.
    const accepted = rows
      .filter((row) => known.has(row.sessionUuid))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const added = new Set(await stores.atomically(({ telemetry }) => telemetry.addEvents(accepted)))
    return rows.map(({ id, sessionUuid }) => {
      if (!known.has(sessionUuid)) return 'unknown'
      // Of two duplicates in one group, the first counts as stored.
      return added.delete(id) ? 'stored' : 'deduped'
    })
  }

  const storeGrouped = grouped(store, { groupSize: GROUP_SIZE, waiting: WAITING_MAXIMUM })

  return async (received) => {
    const outcome = await storeGrouped(rowOf(received, clock()))
    if (outcome === undefined) {
      throw new Refusal('too-many-requests', { retryAfterS: RETRY_AFTER_S })
    }
    if (outcome === 'unknown') throw new Refusal('telemetry-session-unknown')
    metrics.countEvent(outcome)
  }
}

function rowOf(
  { event: payload, sendingId, domain, identityId, organizationCode }: ReceivedEvent,
  at: number,
): TelemetryEventsTable {
  const event = {
    ...payload,
    queryParams: maskedParams(Object.entries(payload.queryParams)),
    pagePath: maskedPath(payload.pagePath),
    eventProperties: maskedProperties(payload.eventProperties ?? {}),
  }
  return {
    id: eventId(event, sendingId),
    sessionUuid: event.sessionKey.uuid,
    identityId,
    organizationCode,
    event: event.event,
    eventType: event.eventType,
    productType: event.productType ?? null,
    applicationUuid: event.applicationUuid ?? null,
    domain,
    pagePath: event.pagePath,
    queryParams: JSON.stringify(event.queryParams),
    eventProperties: JSON.stringify(event.eventProperties),
    createdAt: at,
  }
}
