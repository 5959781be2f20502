import { serverPageEnvironment, unavailable } from '@portico/shell/server-page-environment'
import type { Environment } from './environment.ts'

export const serverEnvironment: Environment = {
  ...serverPageEnvironment,
  production: true,
  navigate: unavailable,
  replace: unavailable,
  deviceStorage: { read: unavailable, write: unavailable, remove: unavailable },
  hasWalletConnection: unavailable,
  watchIdentityToken: unavailable,
  network: { isOnline: unavailable, watch: unavailable },
  locks: unavailable,
  chainNode: unavailable,
  telemetry: {
    pageViewed: unavailable,
    registered: unavailable,
    flowRefused: unavailable,
    problemShown: unavailable,
    trackingId: unavailable,
  },
  download: unavailable,
}
