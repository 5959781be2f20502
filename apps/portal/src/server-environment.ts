import type { Environment } from './environment.ts'

const unavailable = () => {
  throw new Error('Not available during server-side rendering')
}

/** The environment during server-side rendering: side effects throw. */
export const serverEnvironment: Environment = {
  client: unavailable,
  jwt: { read: unavailable, keep: unavailable, remove: unavailable, watch: unavailable },
  storage: { read: unavailable, keep: unavailable, remove: unavailable },
  production: true,
  identityTokenUpdated: unavailable,
  replace: unavailable,
  reload: unavailable,
  reportError: unavailable,
  hasWalletConnection: unavailable,
  locks: unavailable,
  passkeys: {
    supported: () => false,
    offeredInFields: unavailable,
    ask: unavailable,
    offer: unavailable,
    make: unavailable,
  },
  telemetry: { pageViewed: unavailable, registered: unavailable, trackingId: unavailable },
  loadPart: unavailable,
  copy: unavailable,
  download: unavailable,
}
