import * as z from 'zod/mini'
import { call } from './call.ts'
import { EVENT_ID_HEADER, type TelemetryContext, telemetryPath } from './telemetry-wire.ts'
import { Uuid, visibleText } from './text.ts'

/** A telemetry session (§3): its ID, its start in epoch milliseconds, and its tracker. */
export const SessionKey = z.object({
  uuid: Uuid,
  epoch: z.int().check(z.nonnegative()),
  trackerUuid: Uuid,
})

export type SessionKey = z.output<typeof SessionKey>

/** The maximum number of entries in a record. */
const MAX_ENTRIES = 32

const isSmall = (record: Readonly<Record<string, unknown>>) =>
  Object.keys(record).length <= MAX_ENTRIES

const Text = visibleText({ min: 0, max: 256 })

/** An identifier in letters, which cannot hold personal data such as an e-mail address or a phone number. */
const Name = z.string().check(z.regex(/^[a-z][a-z_.-]{0,63}$/i, 'must be a name in letters'))
const Version = z.string().check(z.regex(/^[\w.+-]{1,32}$/, 'must be a version'))

const QueryParams = z
  .record(visibleText({ max: 64 }), Text)
  .check(z.refine(isSmall, `at most ${MAX_ENTRIES} parameters`))

const EventProperties = z
  .record(Name, z.union([Text, z.number(), z.boolean()]))
  .check(z.refine(isSmall, `at most ${MAX_ENTRIES} properties`))

const Length = z.int().check(z.minimum(0), z.maximum(100_000))

/** The payload that starts a session (§3). `sessionKey` is the previous session, if any. */
export const SessionPayload = z.strictObject({
  platform: z.literal('WEB'),
  libVersion: Version,
  referrer: visibleText({ min: 0, max: 2048 }),
  queryParams: QueryParams,
  screenWidth: Length,
  screenHeight: Length,
  windowWidth: Length,
  windowHeight: Length,
  sessionKey: z.optional(SessionKey),
  appVersion: Version,
})

export type SessionPayload = z.output<typeof SessionPayload>

/**
 * An event (§3). Unless `dontDedupe` is set, it is stored once per session: with `dedupeProperty`, once for each value
 * of that property, otherwise once for each distinct content. `identityId` is accepted for the clients that send it,
 * and ignored.
 */
export const EventPayload = z.strictObject({
  domain: visibleText({ max: 253 }),
  queryParams: QueryParams,
  pagePath: visibleText({ max: 2048 }),
  event: Name,
  sessionKey: SessionKey,
  identityId: z.optional(Text),
  applicationUuid: z.optional(Uuid),
  eventType: Name,
  productType: z.optional(Name),
  eventProperties: z.optional(EventProperties),
  dontDedupe: z.optional(z.boolean()),
  dedupeProperty: z.optional(Name),
})

export type EventPayload = z.output<typeof EventPayload>

const begin = (name: string, context: TelemetryContext) =>
  call({
    name,
    summary: 'Start a telemetry session. Refused to visitors who refuse tracking.',
    method: 'POST',
    path: telemetryPath(context, 'session'),
    auth: context === 'internal' ? 'cookie' : 'none',
    body: SessionPayload,
    // §7.8 specifies the key for one context and the tracker for the other; the response always contains both.
    answer: z.strictObject({ sessionKey: SessionKey, trackerUuid: Uuid }),
    refusals: ['tracking-refused'],
  })

const send = (name: string, context: TelemetryContext) =>
  call({
    name,
    summary: 'Store an event of a telemetry session. The response follows once it is stored.',
    method: 'POST',
    path: telemetryPath(context, 'event'),
    auth: context === 'internal' ? 'cookie' : 'none',
    headers: {
      [EVENT_ID_HEADER]: "The event's UUID: an event sent twice with the same UUID is stored once.",
    },
    body: EventPayload,
    refusals: ['tracking-refused', 'telemetry-session-unknown'],
  })

/** Starts a session (§7.8), by context. */
export const beginTelemetrySession = {
  external: begin('beginTelemetrySession', 'external'),
  internal: begin('beginTelemetrySessionOfIdentity', 'internal'),
} as const satisfies Record<TelemetryContext, unknown>

/** Sends an event (§7.8), by context. */
export const sendTelemetryEvent = {
  external: send('sendTelemetryEvent', 'external'),
  internal: send('sendTelemetryEventOfIdentity', 'internal'),
} as const satisfies Record<TelemetryContext, unknown>

export const TELEMETRY_CALLS = [
  ...Object.values(beginTelemetrySession),
  ...Object.values(sendTelemetryEvent),
] as const
