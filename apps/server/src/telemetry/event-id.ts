import type { EventPayload } from '@portico/contracts/telemetry'
import { sha256 } from '../secrets/hashes.ts'

/**
 * The id by which events of a session are deduplicated (§3). With `dontDedupe` only a repeated request (`sendingId`) is
 * a duplicate; with `dedupeProperty` the event's name and that property's value count; otherwise the whole event.
 */
export function eventId(event: EventPayload, sendingId: string): string {
  return sha256(JSON.stringify([event.sessionKey.uuid, ...dedupeKey(event, sendingId)]))
}

function dedupeKey(event: EventPayload, sendingId: string): readonly unknown[] {
  const { dedupeProperty, eventProperties = {} } = event
  if (event.dontDedupe === true) return ['sending', sendingId]
  if (dedupeProperty !== undefined) {
    const value = Object.hasOwn(eventProperties, dedupeProperty)
      ? eventProperties[dedupeProperty]
      : null
    return ['property', event.event, dedupeProperty, value]
  }
  return [
    'all',
    event.event,
    event.eventType,
    event.productType ?? null,
    event.applicationUuid ?? null,
    event.pagePath,
    Object.entries(eventProperties).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]
}
