/**
 * A wallet session in storage. It contains the key of the connection, so it is a secret: anyone who has it can impersonate the
 * wallet. Invalid text is treated as no session.
 */
import { bytesOfHex, hexOf } from '@portico/keys/bytes'
import * as z from 'zod/mini'
import type { GroupPolicy } from '../protocol/account.ts'
import { parsedJson } from '../protocol/fields.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Page } from './approver.ts'
import type { LedgerContents } from './request-ledger.ts'
import type { ConnectedState } from './wallet-session.flow.ts'

/** The data required to resume a session. */
export interface StoredWalletSession {
  readonly bridge: string
  readonly key: Uint8Array
  readonly walletId: string
  readonly page: Page
  readonly connectOptions: ConnectOptions
  readonly address: string
  readonly group: GroupPolicy | null
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** How long the session lasts after an operation, if the page has changed it. */
  readonly durationMs?: number | undefined
  /** The ids of the requests that are not answered yet. */
  readonly unanswered: readonly string[]
  /** What a session that survives restarts needs in addition. */
  readonly served: ServedMessages
}

/** The messages of a session that serves its requests again after a restart. */
export interface ServedMessages extends LedgerContents {
  /** Messages to the page that may not have reached the relay, oldest first. */
  readonly outbox: readonly string[]
}

const text = z.string().check(z.minLength(1))
const seconds = z.optional(z.int().check(z.positive()))

const Stored = z.object({
  bridge: z.string().check(z.refine(isRelayUrl)),
  key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  walletId: text,
  page: z.object({
    peerId: text,
    peerMeta: z.object({
      name: z.string(),
      description: z.string(),
      url: z.string(),
      icons: z.array(z.string()),
    }),
  }),
  wishes: z.object({
    individualAddress: z.optional(text),
    groupAddress: z.optional(text),
    prohibitGroups: z.optional(z.boolean()),
    jwtExpirationS: seconds,
    connectionDurationS: seconds,
  }),
  address: text,
  group: z.nullable(z.looseObject({ address: text })),
  expiresAt: z.number(),
  durationMs: z.optional(z.number().check(z.positive())),
  unanswered: z._default(z.array(z.string().check(z.regex(/^-?\d+$/))), []),
  served: z._default(
    z.object({
      pending: z.array(z.object({ text, arrivedAt: z.number(), decided: z.boolean() })),
      answers: z.array(z.object({ idText: text, text })),
      outbox: z.array(text),
    }),
    { pending: [], answers: [], outbox: [] },
  ),
})

/** Serializes a connected session. */
export function formatStoredSession({
  bridge,
  key,
  walletId,
  connectOptions,
  session: { page, acting, durationMs, expiresAt, unanswered },
  served,
}: Pick<StoredWalletSession, 'bridge' | 'key' | 'walletId' | 'connectOptions'> & {
  readonly session: ConnectedState
  readonly served: ServedMessages | undefined
}): string {
  return JSON.stringify({
    bridge,
    key: hexOf(key),
    walletId,
    wishes: connectOptions,
    page,
    address: acting.account.address,
    group: acting.group,
    expiresAt,
    // A session that serves its requests again stores them with their content.
    ...(served === undefined ? { unanswered } : { durationMs, served }),
  })
}

export function parseStoredSession(text: string): StoredWalletSession | undefined {
  const stored = Stored.safeParse(parsedJson(text))
  const key = stored.success ? bytesOfHex(stored.data.key) : undefined
  if (!stored.success || key === undefined) return undefined
  const { wishes: connectOptions, ...session } = stored.data
  return { ...session, connectOptions, key }
}

function isRelayUrl(text: string): boolean {
  return /^(?:https?|wss?):$/.test(URL.parse(text)?.protocol ?? '')
}
