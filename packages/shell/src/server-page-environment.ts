import type { PageEnvironment } from './page-environment.ts'

export const unavailable = () => {
  throw new Error('Not available during server-side rendering')
}

/** The environment during server-side rendering: side effects throw, and no user is signed in. */
export const serverPageEnvironment: PageEnvironment = {
  client: unavailable,
  jwt: { read: () => undefined, write: unavailable, remove: unavailable, watch: unavailable },
  storage: { read: () => undefined, write: unavailable, remove: unavailable },
  production: false,
  reload: unavailable,
  reportError: unavailable,
  identityTokenUpdated: unavailable,
  copy: unavailable,
  passkeys: {
    supported: () => false,
    supportsAutofill: unavailable,
    request: unavailable,
    offer: unavailable,
    create: unavailable,
  },
  loadModule: unavailable,
}
