import type { TelemetryContext } from '@portico/contracts/telemetry-wire'

/** What the page's data say about telemetry. */
export interface TelemetrySettings {
  readonly context: TelemetryContext
  readonly appVersion: string
  /** The code of the page's organization. */
  readonly organization: string
}
