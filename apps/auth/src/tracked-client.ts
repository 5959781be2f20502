import type { Client } from '@portico/client/client'
import { login, sendToken } from '@portico/contracts/identity'

/** The calls that start a login; they carry the telemetry session ID (§7.2). */
const TRACKED: ReadonlySet<string> = new Set([login.name, sendToken.name])

/** Adds the telemetry session ID to login calls. If no session exists yet, the call is sent without it. */
export function trackedClient(client: Client, trackingId: () => string | undefined): Client {
  return (call, input) => {
    const telemetryTrackingId = TRACKED.has(call.name) ? trackingId() : undefined
    if (telemetryTrackingId === undefined) return client(call, input)
    const body: object = input.body ?? {}
    // The bodies of these calls have this field.
    return client(call, { ...input, body: { ...body, telemetryTrackingId } } as typeof input)
  }
}
