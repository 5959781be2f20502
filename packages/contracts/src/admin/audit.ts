/** The audit log: search and export. */
import * as z from 'zod/mini'
import { Bytes, call } from '../call.ts'
import { ADMIN_PATH } from '../limits.ts'
import { Uuid, visibleText } from '../text.ts'
import { After, PageLimit } from './operators.ts'

const PATH = `${ADMIN_PATH}/audit`

const Text = visibleText({ max: 100 })
/** Epoch milliseconds in a query. */
const Time = z.string().check(z.regex(/^\d{1,15}$/, 'must be epoch milliseconds'))

const Filter = {
  /** The person that the entries are about. */
  identityUuid: z.optional(Uuid),
  /** The identity or the service token of the operator. */
  operatorId: z.optional(Text),
  kind: z.optional(z.string().check(z.regex(/^[a-z-]{1,60}$/))),
  organizationCode: z.optional(Text),
  network: z.optional(Text),
  from: z.optional(Time),
  /** Exclusive. */
  until: z.optional(Time),
}

const FilterQuery = z.strictObject(Filter)

export type AuditFilter = z.output<typeof FilterQuery>

export const searchAudit = call({
  name: 'searchAudit',
  summary: 'Search the audit log, newest entries first.',
  method: 'GET',
  path: PATH,
  auth: 'operator',
  permission: 'audit.read',
  query: z.strictObject({ ...Filter, after: z.optional(After), limit: z.optional(PageLimit) }),
  answer: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        at: z.number(),
        kind: z.string(),
        identityUuid: z.nullable(z.string()),
        /** The email address of the person; null without one, or if the operator may not read people of their organization. */
        person: z.nullable(z.string()),
        organizationCode: z.string(),
        network: z.string(),
        operatorId: z.nullable(z.string()),
        /** The email address of the operator or the name of the service token; null if there was none, or it is deleted. */
        operator: z.nullable(z.string()),
        /** JSON. */
        details: z.string(),
        /** The position in the chain; null until the entry is sealed. */
        sequence: z.nullable(z.number()),
      }),
    ),
    next: z.nullable(z.string()),
  }),
  refusals: ['not-found', 'invalid-request'],
})

export type AuditPage = z.output<(typeof searchAudit)['answer']>

export const exportAudit = call({
  name: 'exportAudit',
  summary: 'Download the matching entries of the audit log as CSV or NDJSON, newest first.',
  method: 'GET',
  path: `${PATH}/export`,
  auth: 'operator',
  permission: 'audit.read',
  // Someone who finds an unattended console must not be able to take the whole log.
  stepUp: true,
  query: z.strictObject({ ...Filter, format: z.enum(['csv', 'ndjson']) }),
  answer: Bytes,
  refusals: ['not-found', 'confirmation-needed'],
})

export const listAuditKinds = call({
  name: 'listAuditKinds',
  summary: 'List the kinds of entries in the audit log.',
  method: 'GET',
  path: `${PATH}/kinds`,
  auth: 'operator',
  permission: 'audit.read',
  answer: z.object({ kinds: z.array(z.string()) }),
})

export const AUDIT_CALLS = [searchAudit, exportAudit, listAuditKinds] as const
