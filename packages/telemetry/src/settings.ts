import type { TelemetryContext } from '@portico/contracts/telemetry-wire'

/** Telemetry settings from the page data. */
export interface TelemetrySettings {
  readonly context: TelemetryContext
  readonly appVersion: string
  /** The page's organization code. */
  readonly organization: string
}
