import * as z from 'zod/mini'
import { call } from './call.ts'
import { EVENT_ID_HEADER, type TelemetryContext, telemetryPath } from './telemetry-wire.ts'
import { Uuid, visibleText } from './text.ts'

/** A telemetry session (§3): its name, when it began in epoch milliseconds, and whose browser it is. */
export const SessionKey = z.object({
  uuid: Uuid,
  epoch: z.int().check(z.nonnegative()),
  trackerUuid: Uuid,
})

/** The parsed form of `SessionKey`. */
export type SessionKey = z.output<typeof SessionKey>

/** The most pairs that a record holds. */
const PAIRS_MAXIMUM = 32

const few = (record: Readonly<Record<string, unknown>>) =>
  Object.keys(record).length <= PAIRS_MAXIMUM

const Text = visibleText({ min: 0, max: 256 })

/** A name as code writes it: it has no room for an address or a number of anybody. */
const Name = z.string().check(z.regex(/^[a-z][a-z_.-]{0,63}$/i, 'must be a name in letters'))
const Version = z.string().check(z.regex(/^[\w.+-]{1,32}$/, 'must be a version'))

const QueryParams = z
  .record(visibleText({ max: 64 }), Text)
  .check(z.refine(few, `at most ${PAIRS_MAXIMUM} parameters`))

const EventProperties = z
  .record(Name, z.union([Text, z.number(), z.boolean()]))
  .check(z.refine(few, `at most ${PAIRS_MAXIMUM} properties`))

const Length = z.int().check(z.minimum(0), z.maximum(100_000))

/** What a session is asked for with (§3). `sessionKey` is the one before, where there was one. */
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

/** What is asked for a session with. */
export type SessionPayload = z.output<typeof SessionPayload>

/**
 * An event (§3). Unless `dontDedupe` says otherwise it is stored once in a session: with `dedupeProperty`, the name of one
 * of its properties, once for each value of that property; without, once for all that it says. `identityId` is taken for
 * the sake of clients that send it, and never read.
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

/** What an event carries. */
export type EventPayload = z.output<typeof EventPayload>

const begin = (name: string, context: TelemetryContext) =>
  call({
    name,
    summary: 'Begin a telemetry session. Who refuses tracking is refused it.',
    method: 'POST',
    path: telemetryPath(context, 'session'),
    auth: context === 'internal' ? 'cookie' : 'none',
    body: SessionPayload,
    // §7.8 says the key of one context and the tracker of the other: whoever asks finds both.
    answer: z.strictObject({ sessionKey: SessionKey, trackerUuid: Uuid }),
    refusals: ['tracking-refused'],
  })

const send = (name: string, context: TelemetryContext) =>
  call({
    name,
    summary: 'Store an event of a telemetry session; answered once it is stored.',
    method: 'POST',
    path: telemetryPath(context, 'event'),
    auth: context === 'internal' ? 'cookie' : 'none',
    headers: {
      [EVENT_ID_HEADER]: 'A UUID of the event: sent twice with the same, it is stored once.',
    },
    body: EventPayload,
    refusals: ['tracking-refused', 'telemetry-session-unknown'],
  })

/** Begins a session (§7.8), by context. */
export const beginTelemetrySession = {
  external: begin('beginTelemetrySession', 'external'),
  internal: begin('beginTelemetrySessionOfIdentity', 'internal'),
} as const satisfies Record<TelemetryContext, unknown>

/** Sends an event (§7.8), by context. */
export const sendTelemetryEvent = {
  external: send('sendTelemetryEvent', 'external'),
  internal: send('sendTelemetryEventOfIdentity', 'internal'),
} as const satisfies Record<TelemetryContext, unknown>

/** The calls of telemetry. */
export const TELEMETRY_CALLS = [
  ...Object.values(beginTelemetrySession),
  ...Object.values(sendTelemetryEvent),
] as const
