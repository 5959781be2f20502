/** Operators and service tokens, and the types shared by all admin API calls. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { hasInvisibleCharacters } from '../characters.ts'
import { ADMIN_PAGE_SIZE, ADMIN_PATH, MAX_REASON_LENGTH } from '../limits.ts'
import { Uuid, visibleText } from '../text.ts'
import { OPERATOR_ROLES, PERMISSIONS } from './permissions.ts'
import { APPROVABLE_ACTS, ApprovalNeeded } from './second-operator.ts'

/** The reason for an act. It is stored in the audit log. */
export const Reason = z.string().check(
  z.maxLength(MAX_REASON_LENGTH, `Please enter ${MAX_REASON_LENGTH} characters at most.`),
  z.refine((text) => text.trim() !== '', 'Please enter a reason.'),
  z.refine(
    (text) => !hasInvisibleCharacters(text.replace(/\r?\n/g, ' ')),
    'Please use visible characters only.',
  ),
)

/** `next` of the previous page; opaque. */
export const After = z.string().check(z.maxLength(500), z.regex(/^[\w.-]+$/))

/** The page size as a query parameter; the maximum by default. */
export const PageLimit = z.string().check(
  z.regex(/^[1-9]\d?$/),
  z.refine((text) => Number(text) <= ADMIN_PAGE_SIZE, `must be at most ${ADMIN_PAGE_SIZE}`),
)

/** The organizations of a role or permission: all, including those added later, or these. */
export const OrganizationScope = z.union([
  z.object({ all: z.literal(true) }),
  z.object({ organizationCodes: z.array(z.string()) }),
])

export const readOperator = call({
  name: 'readOperator',
  summary: 'Read the caller’s identity and permissions, or why the caller has no access.',
  method: 'GET',
  path: `${ADMIN_PATH}/operator`,
  auth: 'operator',
  answer: z.object({
    /** `token`: a service token. */
    kind: z.enum(['person', 'token']),
    /** The email address, or the name of the token. */
    name: z.string(),
    /**
     * `second-factor-missing`: the session was not confirmed with a passkey or authenticator app. `idle`: it was inactive
     * for too long. Confirming with either resolves both.
     */
    access: z.enum(['granted', 'no-grant', 'second-factor-missing', 'idle']),
    roles: z.array(z.object({ role: z.enum(OPERATOR_ROLES), organizationCode: z.string() })),
    permissions: z.array(z.object({ permission: z.enum(PERMISSIONS), scope: OrganizationScope })),
    /** The organizations for which the operator has any permission. */
    organizations: z.array(z.object({ organizationCode: z.string(), name: z.string() })),
    /** The operator's calls that a second operator must approve. */
    approvalActs: z.array(z.enum(APPROVABLE_ACTS)),
    /** When calls with step-up will next need a confirmation; null if they need one now. */
    confirmedUntil: z.nullable(z.number()),
    /** When the session becomes idle; null without access, and for tokens. */
    idleAt: z.nullable(z.number()),
  }),
})

/** A token that a program uses to call the admin API. */
export const ServiceTokenItem = z.object({
  tokenUuid: Uuid,
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  /** Includes `*` for all organizations. */
  organizationCodes: z.array(z.string()),
  createdAt: z.number(),
  expiresAt: z.number(),
  /** Accurate to a minute; null before the first use. */
  lastUsedAt: z.nullable(z.number()),
  revokedAt: z.nullable(z.number()),
})

export type ServiceTokenItem = z.output<typeof ServiceTokenItem>

/** The maximum number of valid tokens with the same name: one in use and its successor. */
export const MAX_TOKENS_PER_NAME = 2

export const MAX_TOKEN_DAYS = 365

export const listServiceTokens = call({
  name: 'listServiceTokens',
  summary: 'List service tokens, newest first, without the tokens themselves.',
  method: 'GET',
  path: `${ADMIN_PATH}/tokens`,
  auth: 'operator',
  permission: 'tokens.write',
  query: z.strictObject({ after: z.optional(After), limit: z.optional(PageLimit) }),
  answer: z.object({ items: z.array(ServiceTokenItem), next: z.nullable(z.string()) }),
})

/** A token cannot have more permissions than its creator. A third valid token with the same name is refused. */
export const createServiceToken = call({
  name: 'createServiceToken',
  summary: 'Create a service token. Only this response contains it.',
  method: 'POST',
  path: `${ADMIN_PATH}/tokens`,
  auth: 'operator',
  permission: 'tokens.write',
  stepUp: true,
  body: z.strictObject({
    name: visibleText({ max: 60 }).check(z.regex(/^[\w.-]+$/, 'may have letters, digits, . _ -')),
    permissions: z
      .array(z.enum(PERMISSIONS))
      .check(z.minLength(1), z.maxLength(PERMISSIONS.length)),
    organizationCodes: z.array(visibleText({ max: 64 })).check(z.minLength(1), z.maxLength(500)),
    /** From now. */
    days: z.int().check(z.positive(), z.maximum(MAX_TOKEN_DAYS)),
    reason: Reason,
  }),
  answer: z.object({ tokenUuid: Uuid, token: z.string(), expiresAt: z.number() }),
  refusals: ['too-many-tokens'],
})

export const revokeServiceToken = call({
  name: 'revokeServiceToken',
  summary: 'Revoke a service token at once.',
  method: 'POST',
  path: `${ADMIN_PATH}/tokens/revoke`,
  auth: 'operator',
  permission: 'tokens.write',
  stepUp: true,
  body: z.strictObject({ tokenUuid: Uuid, reason: Reason }),
  answer: z.object({ changed: z.boolean() }),
  accepted: ApprovalNeeded,
  refusals: ['not-found'],
})

const Role = z.object({ role: z.enum(OPERATOR_ROLES), organizationCode: z.string() })

const OperatorItem = z.object({
  identityUuid: Uuid,
  email: z.string(),
  /** The roles for the caller's organizations; `*` stands for all. */
  roles: z.array(Role),
})

export type OperatorItem = z.output<typeof OperatorItem>

export const listOperators = call({
  name: 'listOperators',
  summary: 'List the people with roles, ordered by email address.',
  method: 'GET',
  path: `${ADMIN_PATH}/operators`,
  auth: 'operator',
  permission: 'operators.write',
  query: z.strictObject({ after: z.optional(After), limit: z.optional(PageLimit) }),
  answer: z.object({ items: z.array(OperatorItem), next: z.nullable(z.string()) }),
})

export const grantRole = call({
  name: 'grantRole',
  summary: 'Grant a person a role for organizations. It takes effect with their next call.',
  method: 'POST',
  path: `${ADMIN_PATH}/operators/grant`,
  auth: 'operator',
  permission: 'operators.write',
  stepUp: true,
  body: z.strictObject({
    email: visibleText({ max: 320 }),
    role: z.enum(OPERATOR_ROLES),
    /** Or `*` for all, including those added later. */
    organizationCodes: z.array(visibleText({ max: 64 })).check(z.minLength(1), z.maxLength(500)),
    reason: Reason,
  }),
  /** `hasFactor`: the person has a passkey or authenticator app, which operators need. */
  answer: z.object({ changed: z.boolean(), hasFactor: z.boolean() }),
  accepted: ApprovalNeeded,
  refusals: ['no-such-account'],
})

export const revokeRole = call({
  name: 'revokeRole',
  summary: 'Revoke a role of a person. It takes effect with their next call.',
  method: 'POST',
  path: `${ADMIN_PATH}/operators/revoke`,
  auth: 'operator',
  permission: 'operators.write',
  stepUp: true,
  body: z.strictObject({
    identityUuid: Uuid,
    role: z.enum(OPERATOR_ROLES),
    organizationCode: visibleText({ max: 64 }),
    reason: Reason,
  }),
  answer: z.object({ changed: z.boolean() }),
  accepted: ApprovalNeeded,
  refusals: ['last-administrator'],
})

export const OPERATOR_CALLS = [
  readOperator,
  listOperators,
  grantRole,
  revokeRole,
  listServiceTokens,
  createServiceToken,
  revokeServiceToken,
] as const
