/** Operators: the signed-in operator, and what all calls of the admin API share. */
import * as z from 'zod/mini'
import { call } from '../call.ts'
import { ADMIN_PAGE_SIZE, ADMIN_PATH, REASON_LENGTH_MAXIMUM } from '../limits.ts'
import { hasInvisibleCharacters } from '../text.ts'
import { OPERATOR_ROLES, PERMISSIONS } from './permissions.ts'

/** Why an operator does something. It is stored in the audit log. */
export const Reason = z.string().check(
  z.maxLength(REASON_LENGTH_MAXIMUM, `Please enter ${REASON_LENGTH_MAXIMUM} characters at most.`),
  z.refine((text) => text.trim() !== '', 'Please enter a reason.'),
  z.refine(
    (text) => !hasInvisibleCharacters(text.replace(/\r?\n/g, ' ')),
    'Please use visible characters only.',
  ),
)

/** `next` of the page before; opaque. */
export const After = z.string().check(z.maxLength(500), z.regex(/^[\w.-]+$/))

/** How many items a page has, as text in a query; by default the most. */
export const PageLimit = z.string().check(
  z.regex(/^[1-9]\d?$/),
  z.refine((text) => Number(text) <= ADMIN_PAGE_SIZE, `must be at most ${ADMIN_PAGE_SIZE}`),
)

/** The organizations of a role or permission: all, also those added later, or these. */
export const OrganizationScope = z.union([
  z.object({ all: z.literal(true) }),
  z.object({ organizationCodes: z.array(z.string()) }),
])

export const readOperator = call({
  name: 'readOperator',
  summary: 'Read who makes the calls, what they may do, and if nothing, why.',
  method: 'GET',
  path: `${ADMIN_PATH}/operator`,
  auth: 'operator',
  answer: z.object({
    /** `token`: a service token. */
    kind: z.enum(['person', 'token']),
    /** The e-mail address, or the name of the token. */
    name: z.string(),
    /**
     * `second-factor-missing`: the session was not proven with a passkey or an authenticator. `idle`: it was not used for a
     * while. Both end with a confirmation by passkey or authenticator.
     */
    access: z.enum(['granted', 'no-grant', 'second-factor-missing', 'idle']),
    roles: z.array(z.object({ role: z.enum(OPERATOR_ROLES), organizationCode: z.string() })),
    permissions: z.array(z.object({ permission: z.enum(PERMISSIONS), scope: OrganizationScope })),
    /** The organizations for which the operator has any permission. */
    organizations: z.array(z.object({ organizationCode: z.string(), name: z.string() })),
    /** Until when calls with step-up need no other confirmation; null if they need one now. */
    confirmedUntil: z.nullable(z.number()),
    /** When the access ends unless it is used before; null without access, and for tokens. */
    idleAt: z.nullable(z.number()),
  }),
})

export const OPERATOR_CALLS = [readOperator] as const
