import type { Environment } from './environment.ts'

const unavailable = () => {
  throw new Error('A page that is rendered on the server makes no calls')
}

/** What the wallet finds around it while the server renders it: nothing runs there. */
export const serverEnvironment: Environment = {
  keeper: {
    accounts: unavailable,
    make: unavailable,
    rename: unavailable,
    lock: unavailable,
    ask: unavailable,
    approve: unavailable,
    reject: unavailable,
  },
  client: unavailable,
  passkeys: { ask: unavailable, supported: unavailable },
  idle: unavailable,
  jwt: { watch: unavailable },
  parent: undefined,
  newerFrames: unavailable,
  sight: { settled: unavailable, disturbed: unavailable },
  storage: { read: unavailable, keep: unavailable, remove: unavailable },
  origin: '',
  reload: unavailable,
  reportError: unavailable,
  loadPart: unavailable,
  goTo: unavailable,
  wait: unavailable,
  clock: () => 0,
}
