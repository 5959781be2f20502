import type { Environment } from './environment.ts'

const unavailable = () => {
  throw new Error('A page that is rendered on the server makes no calls')
}

/** What a page finds around it while the server renders it: nothing runs there. */
export const serverEnvironment: Environment = {
  client: unavailable,
  jwt: { read: unavailable, keep: unavailable, remove: unavailable, watch: unavailable },
  storage: { read: unavailable, keep: unavailable, remove: unavailable },
  production: true,
  identityTokenUpdated: unavailable,
  replace: unavailable,
  reload: unavailable,
  reportError: unavailable,
  keepsWallet: unavailable,
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
