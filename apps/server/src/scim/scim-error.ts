/** A refused SCIM request (RFC 7644 3.12). The detail is for the directory's administrator and says what to do. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: string | undefined
  /** The attribute at fault, if it is one. */
  readonly attribute: string | undefined
  /** Whether the departures in the message were applied although it was refused. */
  readonly isDepartureApplied: boolean

  constructor(
    status: number,
    detail: string,
    scimType?: string,
    { attribute, isDepartureApplied = false }: ScimErrorFacts = {},
  ) {
    super(detail)
    this.status = status
    this.scimType = scimType
    this.attribute = attribute
    this.isDepartureApplied = isDepartureApplied
  }
}

interface ScimErrorFacts {
  readonly attribute?: string | undefined
  readonly isDepartureApplied?: boolean
}

/** A user or group that does not exist in this directory, whether or not it exists in another. */
export function notFound(id: string): ScimError {
  return new ScimError(404, `There is no resource with the id ${id}. Search for it by a filter.`)
}

/** The directory has as many users or groups as it may have. */
export function tooMany(kind: 'users' | 'groups', limit: number): ScimError {
  return new ScimError(
    403,
    `This directory already has ${limit} ${kind}, the maximum. Delete those that are not needed, or assign fewer.`,
  )
}

export function notUnique(attribute: string): ScimError {
  return new ScimError(
    409,
    `Another resource has this ${attribute}. Find it with a filter and update it.`,
    'uniqueness',
    { attribute },
  )
}

/** Whether a statement violated a unique constraint. Uniqueness is checked first, so this happens only in races. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // PostgreSQL's unique_violation, and SQLite's SQLITE_CONSTRAINT_UNIQUE.
  return code === '23505' || errcode === 2067
}

/** Whether a statement references a row that was deleted concurrently. */
export function isReferenceViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // PostgreSQL's foreign_key_violation, and SQLite's SQLITE_CONSTRAINT_FOREIGNKEY.
  return code === '23503' || errcode === 787
}
