import { serverPageEnvironment, unavailable } from '@portico/shell/server-page-environment'
import type { Environment } from './environment.ts'

export const serverEnvironment: Environment = {
  ...serverPageEnvironment,
  location: unavailable,
  navigate: unavailable,
  clock: unavailable,
  wait: unavailable,
  recordExposure: unavailable,
  telemetry: {
    pageViewed: unavailable,
    registered: unavailable,
    flowRefused: unavailable,
    problemShown: unavailable,
    trackingId: unavailable,
  },
  botCheck: { prepare: unavailable, token: unavailable },
  wallet: { open: unavailable, disconnect: unavailable },
  deviceStorage: { read: unavailable, write: unavailable, remove: unavailable },
  gatekeeper: unavailable,
  logViolations: unavailable,
  random: unavailable,
}
