/** Operations: the nodes with their relay, the queues, the rate limits, and certificates that expire soon. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { ADMIN_PATH, DAY_MS } from '../limits.ts'
import { DirectoryRefusal } from './directory-refusals.ts'
import { After, Reason } from './operators.ts'

const PATH = `${ADMIN_PATH}/operations`

/** Queues are counted up to this length. */
export const MAX_WAITING = 1000

const Waiting = {
  /** At most `MAX_WAITING`. */
  waiting: z.int(),
  /** When the oldest was created. */
  since: z.nullable(z.number()),
}

/** The period in which `rateLimits` counts. */
export const RATE_LIMITS_SHOWN_MS = DAY_MS

/** The state that a node reports about itself. */
export const NodeState = z.object({
  relay: z.object({
    connections: z.int(),
    /** Topics with a reader on this node. */
    topics: z.int(),
    /** Topics with queued messages on all nodes; null if Redis did not respond. */
    waitingTopics: z.nullable(z.int()),
  }),
  /** `none`: not configured. */
  redis: z.enum(['none', 'ready', 'unreachable']),
})

export type NodeState = z.output<typeof NodeState>

export const readOperations = call({
  name: 'readOperations',
  summary:
    'Read the state of the installation: nodes, relay, database, queues, rate limits and certificates.',
  method: 'GET',
  path: PATH,
  auth: 'operator',
  permission: 'operations.read',
  answer: z.object({
    /** The nodes that reported in the last minute. */
    nodes: z.array(
      z.object({
        nodeId: z.string(),
        version: z.string(),
        startedAt: z.number(),
        seenAt: z.number(),
        /** Absent for a node of an older version. */
        relay: z.optional(NodeState.shape.relay),
        redis: z.optional(NodeState.shape.redis),
      }),
    ),
    database: z.object({
      engine: z.enum(['embedded', 'postgresql']),
      /** How long a query took. */
      latencyMs: z.number(),
    }),
    /** Null unless the operator covers all organizations, because messages do not belong to an organization. */
    outbox: z.nullable(z.object({ email: z.object(Waiting), sms: z.object(Waiting) })),
    webhooks: z.nullable(
      z.object({
        ...Waiting,
        /** Endpoints that did not accept their last event, and endpoints that were disabled after days of failures. */
        failing: z.int(),
        disabled: z.int(),
      }),
    ),
    /** Rate limits that refused requests in the last 24 hours, most refusals first; null as above. */
    rateLimits: z.nullable(
      z.array(
        z.object({
          /** The call or page, such as `login`. */
          limit: z.string(),
          refused: z.int(),
          /** The hour of the latest refusal. */
          lastHour: z.number(),
        }),
      ),
    ),
    /** The certificates of identity providers, the first to expire first. */
    certificates: z.array(
      z.object({ organizationCode: z.string(), provider: z.string(), expiresAt: z.number() }),
    ),
    /** What was refused to directories (SCIM) in the last 30 days, by kind, the latest first; at most 50 kinds. */
    directoryRefusals: z.array(
      z.object({
        organizationCode: z.string(),
        provider: z.string(),
        ...DirectoryRefusal.shape,
        refused: z.int(),
        lastAt: z.number(),
      }),
    ),
  }),
})

export type Operations = z.output<(typeof readOperations)['answer']>

export const listWaitingMessages = call({
  name: 'listWaitingMessages',
  summary: 'List mails and text messages that are waiting to be sent, the next due first.',
  method: 'GET',
  path: `${PATH}/messages`,
  auth: 'operator',
  permission: 'operations.read',
  query: z.strictObject({ after: z.optional(After) }),
  answer: z.object({
    items: z.array(
      z.object({
        messageUuid: z.string(),
        channel: z.enum(['email', 'sms']),
        /** Such as `passcodeMail`. */
        kind: z.string(),
        /** Masked: the first letter and the domain, or the last digits. */
        recipient: z.string(),
        createdAt: z.number(),
        attempts: z.int(),
        nextAttemptAt: z.number(),
      }),
    ),
    next: z.nullable(z.string()),
  }),
  refusals: ['invalid-request'],
})

export type WaitingMessages = z.output<(typeof listWaitingMessages)['answer']>

export const retryMessages = call({
  name: 'retryMessages',
  summary: 'Try to send all waiting messages now, such as after a mail server outage.',
  method: 'POST',
  path: `${PATH}/messages/retry`,
  auth: 'operator',
  permission: 'operations.write',
  body: z.strictObject({ reason: Reason }),
  answer: z.object({
    /** How many messages became due. */
    changed: z.int(),
  }),
})

export const OPERATIONS_CALLS = [readOperations, listWaitingMessages, retryMessages] as const
