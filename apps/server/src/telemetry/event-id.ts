import type { EventPayload } from '@portico/contracts/telemetry'
import { sha256 } from '../secrets/hashes.ts'

/**
 * What makes an event the same as another of its session (§3). `dontDedupe`: nothing but having been sent twice, which
 * `sending` tells. `dedupeProperty`: the event's name and that property's value. Otherwise all that the event says.
 * Two events with one id are stored once.
 */
export function eventId(event: EventPayload, sending: string): string {
  return sha256(JSON.stringify([event.sessionKey.uuid, ...sameness(event, sending)]))
}

function sameness(event: EventPayload, sending: string): readonly unknown[] {
  const { dedupeProperty, eventProperties = {} } = event
  if (event.dontDedupe === true) return ['sending', sending]
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
