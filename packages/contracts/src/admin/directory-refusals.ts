/** Why requests of directories (SCIM) were refused, without values, because values are personal data. */
import * as z from 'zod/mini'

/** The error types of RFC 7644 3.12 and RFC 9865, and ours for errors that have none. */
export const DirectoryRefusalReason = z.enum([
  'invalidSyntax',
  'invalidPath',
  'invalidValue',
  'invalidFilter',
  'noTarget',
  'uniqueness',
  'tooMany',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
  'notFound',
  'full',
  'tooLarge',
  'other',
])

export type DirectoryRefusalReason = z.output<typeof DirectoryRefusalReason>

/** The attributes that can be at fault. */
export const DirectoryAttribute = z.enum([
  'userName',
  'externalId',
  'active',
  'displayName',
  'name',
  'emails',
  'members',
])

export type DirectoryAttribute = z.output<typeof DirectoryAttribute>

export const DirectoryRefusal = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'other']),
  /** `other` for discovery and unknown paths. */
  resource: z.enum(['Users', 'Groups', 'other']),
  reason: DirectoryRefusalReason,
  attribute: z.nullable(DirectoryAttribute),
  /** Whether the person was deactivated, or the members removed, although the rest was refused. */
  isDepartureApplied: z.boolean(),
})

export type DirectoryRefusal = z.output<typeof DirectoryRefusal>
