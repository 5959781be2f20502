/**
 * A message is applied as a whole or refused as a whole (RFC 7644 3.5.2), with one exception: a person who leaves must not stay
 * logged in because another attribute of the message is invalid. The departure is applied, and the message is still refused, so
 * that the directory shows the error and sends the message again.
 */
import { ScimError } from './scim-error.ts'
import { InvalidPatch } from './scim-path.ts'

interface Departure {
  readonly apply: () => Promise<unknown>
  /** What was applied, as a sentence. */
  readonly applied: string
}

/** @throws ScimError - that of the change, which says what was applied */
export async function withDeparture<Result>(
  change: () => Promise<Result>,
  departure: () => Departure | undefined,
): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    const refusal = refusalOf(error)
    const found = refusal && departure()
    if (!found) throw error
    await found.apply()
    const { status, message, scimType, attribute } = refusal
    throw new ScimError(status, `${found.applied} The rest was refused: ${message}`, scimType, {
      attribute,
      isDepartureApplied: true,
    })
  }
}

/** Undefined for a failure of the server, after which the directory sends the message again. */
function refusalOf(error: unknown): ScimError | undefined {
  if (error instanceof InvalidPatch) {
    const { message, scimType, attribute } = error
    return new ScimError(400, message, scimType, { attribute })
  }
  return error instanceof ScimError && error.status !== 404 ? error : undefined
}
