/** Requests for acts that need a second operator. Requesters cannot approve; service tokens can only request. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { Uuid } from '../text.ts'
import { After, PageLimit, Reason } from './operators.ts'
import { APPROVABLE_ACTS } from './second-operator.ts'

const REQUESTS_PATH = `${ADMIN_PATH}/act-requests`

/**
 * `waiting` until it is `expired`, `withdrawn`, `declined` or approved. Once approved it is `running`, then `done` or
 * `failed`. `interrupted`: the server was stopped before anything was changed.
 */
export const ACT_REQUEST_STATES = [
  'waiting',
  'expired',
  'withdrawn',
  'declined',
  'running',
  'done',
  'failed',
  'interrupted',
] as const

export type ActRequestState = (typeof ACT_REQUEST_STATES)[number]

export const ActRequestItem = z.object({
  requestUuid: Uuid,
  /** The requested call. */
  act: z.enum(APPROVABLE_ACTS),
  /** The email address, code or name of the object. */
  subject: z.string(),
  /** Includes `*` for all organizations. */
  organizationCodes: z.array(z.string()),
  reason: z.string(),
  /** The email address, or the name of the token. */
  requestedBy: z.string(),
  requesterKind: z.enum(['person', 'token']),
  /** Whether the caller is the requester and therefore cannot approve it. */
  isOwn: z.boolean(),
  createdAt: z.number(),
  expiresAt: z.number(),
  state: z.enum(ACT_REQUEST_STATES),
  /** Who approved or declined it; null before that and if it was withdrawn or expired. */
  decidedBy: z.nullable(z.string()),
  /** When it was approved, declined or withdrawn. */
  decidedAt: z.nullable(z.number()),
  /** Why it was declined or withdrawn, or a comment on the approval. */
  decisionReason: z.nullable(z.string()),
  /** The error code with which the act failed; null otherwise. */
  failure: z.nullable(z.string()),
})

export type ActRequestItem = z.output<typeof ActRequestItem>

export const ActRequest = z.extend(ActRequestItem, {
  /** The body of the call. */
  input: z.record(z.string(), z.unknown()),
  /** Whether the caller can approve it now. */
  canApprove: z.boolean(),
  /** The error code with which the act would fail now; null if it would succeed or is not waiting. */
  obstacle: z.nullable(z.string()),
  /** The call's response; null unless it is done. */
  answer: z.nullable(z.record(z.string(), z.unknown())),
})

export type ActRequest = z.output<typeof ActRequest>

/** The caller's own requests, and those for calls that the caller could make. */
export const listActRequests = call({
  name: 'listActRequests',
  summary: 'List requests for acts that need a second operator, newest first.',
  method: 'GET',
  path: REQUESTS_PATH,
  auth: 'operator',
  query: z.strictObject({
    /** Only waiting requests. */
    state: z.optional(z.literal('waiting')),
    after: z.optional(After),
    limit: z.optional(PageLimit),
  }),
  answer: z.object({ items: z.array(ActRequestItem), next: z.nullable(z.string()) }),
})

export const readActRequest = call({
  name: 'readActRequest',
  summary: 'Read a request: the act, the requester, the reason and the status.',
  method: 'GET',
  path: `${REQUESTS_PATH}/request`,
  auth: 'operator',
  query: z.strictObject({ requestUuid: Uuid }),
  answer: ActRequest,
  refusals: ['not-found'],
})

const DECISION = { method: 'POST', auth: 'operator' } as const

const Decision = z.strictObject({ requestUuid: Uuid, reason: Reason })

export const approveActRequest = call({
  ...DECISION,
  name: 'approveActRequest',
  summary: 'Approve another operator’s request. The act is done at once on their behalf.',
  path: `${REQUESTS_PATH}/approve`,
  stepUp: true,
  body: Decision,
  /** It is `done`, or `failed` with nothing changed. */
  answer: ActRequestItem,
  refusals: ['not-found', 'own-request', 'request-ended'],
})

export const declineActRequest = call({
  ...DECISION,
  name: 'declineActRequest',
  summary: 'Decline another operator’s request.',
  path: `${REQUESTS_PATH}/decline`,
  stepUp: true,
  body: Decision,
  answer: ActRequestItem,
  refusals: ['not-found', 'own-request', 'request-ended'],
})

export const withdrawActRequest = call({
  ...DECISION,
  name: 'withdrawActRequest',
  summary: 'Withdraw your own request.',
  path: `${REQUESTS_PATH}/withdraw`,
  body: Decision,
  answer: ActRequestItem,
  refusals: ['not-found', 'request-ended'],
})

export const ACT_REQUEST_CALLS = [
  listActRequests,
  readActRequest,
  approveActRequest,
  declineActRequest,
  withdrawActRequest,
] as const
