import { ApiError } from '@portico/client/api-error'
import type { Client } from '@portico/client/client'
import { login, sendToken } from '@portico/contracts/identity'
import { passkeyLogin } from '@portico/contracts/two-factor'
import type { Telemetry } from '@portico/telemetry'

/** The calls that log in or start a login; they carry the telemetry session ID (§7.2). */
const TRACKED: ReadonlySet<string> = new Set(
  [login, passkeyLogin, sendToken].map(({ name }) => name),
)

/**
 * Adds the telemetry session ID to login calls, and records the error codes of failed calls. If no telemetry session
 * exists yet, the call is sent without an ID.
 */
export function trackedClient(
  client: Client,
  { trackingId, problemShown }: Pick<Telemetry, 'trackingId' | 'problemShown'>,
): Client {
  const recorded = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer
    } catch (error) {
      if (error instanceof ApiError) problemShown(error.reason ?? error.code)
      throw error
    }
  }
  return (call, input) => {
    const telemetryTrackingId = TRACKED.has(call.name) ? trackingId() : undefined
    if (telemetryTrackingId === undefined) return recorded(client(call, input))
    const body: object = input.body ?? {}
    // The bodies of these calls have this field.
    const tracked = { ...input, body: { ...body, telemetryTrackingId } } as typeof input
    return recorded(client(call, tracked))
  }
}
