/** Operations: the nodes, what waits, and the certificates that end soon. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { After, Reason } from './operators.ts'

const PATH = `${ADMIN_PATH}/operations`

/** The most that is counted of what waits. */
export const WAITING_MAXIMUM = 1000

const Waiting = {
  /** At most `WAITING_MAXIMUM`. */
  waiting: z.int(),
  /** Since when the first of them waits. */
  since: z.nullable(z.number()),
}

export const readOperations = call({
  name: 'readOperations',
  summary: 'Read the state of the installation: nodes, database, what waits, and certificates.',
  method: 'GET',
  path: PATH,
  auth: 'operator',
  permission: 'operations.read',
  answer: z.object({
    /** Those that reported in the last minute. */
    nodes: z.array(
      z.object({
        nodeId: z.string(),
        version: z.string(),
        startedAt: z.number(),
        seenAt: z.number(),
      }),
    ),
    database: z.object({
      engine: z.enum(['embedded', 'postgresql']),
      /** How long a query took. */
      latencyMs: z.number(),
    }),
    /** Null for operators of some organizations only: messages are of no organization. */
    outbox: z.nullable(z.object({ email: z.object(Waiting), sms: z.object(Waiting) })),
    webhooks: z.nullable(
      z.object({
        ...Waiting,
        /** Endpoints that did not accept their last event, and those that were disabled after days of that. */
        failing: z.int(),
        disabled: z.int(),
      }),
    ),
    /** Of identity providers, those that end first at the top. */
    certificates: z.array(
      z.object({ organizationCode: z.string(), provider: z.string(), expiresAt: z.number() }),
    ),
  }),
})

export type Operations = z.output<(typeof readOperations)['answer']>

export const listWaitingMessages = call({
  name: 'listWaitingMessages',
  summary: 'List mails and text messages that are not sent yet, those that are due first.',
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
        /** Shortened: the first letter and the domain, or the last digits. */
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
  summary: 'Try to send every waiting message now, such as after the mail server was down.',
  method: 'POST',
  path: `${PATH}/messages/retry`,
  auth: 'operator',
  permission: 'operations.write',
  body: z.strictObject({ reason: Reason }),
  answer: z.object({
    /** How many were not due before. */
    changed: z.int(),
  }),
})

export const OPERATIONS_CALLS = [readOperations, listWaitingMessages, retryMessages] as const
