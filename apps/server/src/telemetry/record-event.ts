import { Refusal } from '@portico/contracts/errors'
import type { EventPayload } from '@portico/contracts/telemetry'
import { maskedParams, maskedPath, maskedProperties } from '@portico/rules/telemetry-masking'
import type { Clock } from '../clock.ts'
import type { TelemetryEventsTable } from '../database/tables.ts'
import type { AllStores } from '../stores.ts'
import { eventId } from './event-id.ts'
import { grouped } from './grouped.ts'
import type { TelemetryMetrics } from './metrics.ts'

/** What came with an event, and who brought it. */
export interface BroughtEvent {
  readonly event: EventPayload
  /** Names this sending; a repetition has the same. */
  readonly sending: string
  readonly domain: string
  readonly identityId: string | null
  readonly organizationCode: string
}

const TOGETHER = 512
const WAITING = 10_000
/** What a client waits whose event found too many before it. */
const TRY_AGAIN_S = 30
/** Sessions that need not be looked up; past that the oldest are forgotten. */
const KNOWN_SESSIONS = 50_000

/**
 * Stores events, many in one commit. An event is answered for when it is stored. Whatever a client left unmasked is
 * masked here; the identity is the session's and the domain the server's own, whatever the event says.
 */
export function recordEvent({
  stores,
  clock,
  metrics,
}: {
  readonly stores: AllStores
  readonly clock: Clock
  readonly metrics: TelemetryMetrics
}): (brought: BroughtEvent) => Promise<void> {
  const known = new Set<string>()

  async function lookUp(uuids: readonly string[]): Promise<void> {
    const unknown = [...new Set(uuids)].filter((uuid) => !known.has(uuid))
    if (unknown.length === 0) return
    for (const uuid of await stores.telemetry.sessionsAmong(unknown)) known.add(uuid)
    for (const uuid of known) {
      if (known.size <= KNOWN_SESSIONS) break
      known.delete(uuid)
    }
  }

  async function store(
    rows: readonly TelemetryEventsTable[],
  ): Promise<readonly ('stored' | 'deduped' | 'unknown')[]> {
    await lookUp(rows.map((row) => row.session_uuid))
    // In one order on every node: two that store the same events would else wait for each other.
    const ours = rows
      .filter((row) => known.has(row.session_uuid))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    const added = new Set(await stores.atomically(({ telemetry }) => telemetry.addEvents(ours)))
    return rows.map(({ id, session_uuid }) => {
      if (!known.has(session_uuid)) return 'unknown'
      // Of two in one group that are the same, the first is the one that was stored.
      return added.delete(id) ? 'stored' : 'deduped'
    })
  }

  const storeTogether = grouped(store, { together: TOGETHER, waiting: WAITING })

  return async (brought) => {
    const outcome = await storeTogether(rowOf(brought, clock()))
    if (outcome === undefined) {
      throw new Refusal('too-many-requests', { retryAfterS: TRY_AGAIN_S })
    }
    if (outcome === 'unknown') throw new Refusal('telemetry-session-unknown')
    metrics.countEvent(outcome)
  }
}

function rowOf(
  { event: told, sending, domain, identityId, organizationCode }: BroughtEvent,
  at: number,
): TelemetryEventsTable {
  const event = {
    ...told,
    queryParams: maskedParams(Object.entries(told.queryParams)),
    pagePath: maskedPath(told.pagePath),
    eventProperties: maskedProperties(told.eventProperties ?? {}),
  }
  return {
    id: eventId(event, sending),
    session_uuid: event.sessionKey.uuid,
    identity_id: identityId,
    organization_code: organizationCode,
    event: event.event,
    event_type: event.eventType,
    product_type: event.productType ?? null,
    application_uuid: event.applicationUuid ?? null,
    domain,
    page_path: event.pagePath,
    query_params: JSON.stringify(event.queryParams),
    event_properties: JSON.stringify(event.eventProperties),
    created_at: at,
  }
}
