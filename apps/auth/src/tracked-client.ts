import type { Client } from '@portico/client/client'
import { login, sendToken } from '@portico/contracts/identity'

/** Calls with which a sign-in begins; they name the telemetry session in which it does (§7.2). */
const TRACKED: ReadonlySet<string> = new Set([login.name, sendToken.name])

/** A client whose sign-ins name their telemetry session, where there is one by then; nothing waits for it. */
export function trackedClient(client: Client, trackingId: () => string | undefined): Client {
  return (call, input) => {
    const telemetryTrackingId = TRACKED.has(call.name) ? trackingId() : undefined
    if (telemetryTrackingId === undefined) return client(call, input)
    const body: object = input.body ?? {}
    // The bodies of these calls have this field.
    return client(call, { ...input, body: { ...body, telemetryTrackingId } } as typeof input)
  }
}
