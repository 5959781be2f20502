/** A refused SCIM request (RFC 7644 3.12). The detail is for the directory's administrator and says what to do. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: string | undefined

  constructor(status: number, detail: string, scimType?: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

/** A user or group that the directory does not have, whether or not another directory does. */
export function notFound(id: string): ScimError {
  return new ScimError(404, `There is no resource with the id ${id}. Search for it by a filter.`)
}

export function notUnique(attribute: string): ScimError {
  return new ScimError(
    409,
    `Another resource has this ${attribute}. Find it with a filter and update it.`,
    'uniqueness',
  )
}

/** Whether a row is no longer unique. Checked before, so a statement fails by it only in races. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // PostgreSQL's unique_violation, and SQLite's SQLITE_CONSTRAINT_UNIQUE.
  return code === '23505' || errcode === 2067
}

/** Whether a row refers to one that was deleted at the same time. */
export function isReferenceViolation(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // PostgreSQL's foreign_key_violation, and SQLite's SQLITE_CONSTRAINT_FOREIGNKEY.
  return code === '23503' || errcode === 787
}
