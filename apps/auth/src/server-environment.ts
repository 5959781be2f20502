import type { Environment } from './environment.ts'

const unavailable = () => {
  throw new Error('Not available during server-side rendering')
}

/** The environment during server-side rendering: side effects throw, and no user is signed in. */
export const serverEnvironment: Environment = {
  client: unavailable,
  jwt: { read: () => undefined, keep: unavailable, remove: unavailable, watch: unavailable },
  storage: { read: () => undefined, keep: unavailable, remove: unavailable },
  production: false,
  location: unavailable,
  navigate: unavailable,
  reload: unavailable,
  clock: unavailable,
  wait: unavailable,
  reportError: unavailable,
  recordExposure: unavailable,
  telemetry: { pageViewed: unavailable, registered: unavailable, trackingId: unavailable },
  botCheck: { prepare: unavailable, token: unavailable },
  wallet: { open: unavailable, disconnect: unavailable },
  identityTokenUpdated: unavailable,
  gatekeeper: unavailable,
  copy: unavailable,
  passkeys: {
    supported: () => false,
    offeredInFields: unavailable,
    ask: unavailable,
    offer: unavailable,
    make: unavailable,
  },
  chance: unavailable,
  loadPart: unavailable,
}
