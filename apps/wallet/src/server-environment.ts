import { unavailable } from '@portico/shell/server-page-environment'
import type { Environment } from './environment.ts'

/** The environment during server-side rendering, where nothing is called. */
export const serverEnvironment: Environment = {
  keyKeeper: {
    accounts: unavailable,
    create: unavailable,
    rename: unavailable,
    lock: unavailable,
    requestApproval: unavailable,
    approve: unavailable,
    reject: unavailable,
  },
  groups: {
    listProposals: unavailable,
    readProposal: unavailable,
    readResult: unavailable,
    listGroups: unavailable,
  },
  proposalOutcome: unavailable,
  client: unavailable,
  passkeys: { request: unavailable, supported: unavailable },
  idle: unavailable,
  jwt: { watch: unavailable },
  parent: undefined,
  newerFrames: unavailable,
  visibility: { settled: unavailable, disturbed: unavailable },
  storage: { read: unavailable, write: unavailable, remove: unavailable },
  origin: '',
  reload: unavailable,
  reportError: unavailable,
  loadModule: unavailable,
  goTo: unavailable,
  wait: unavailable,
  clock: () => 0,
}
