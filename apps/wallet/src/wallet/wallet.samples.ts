import { UNEXPECTED } from '@portico/shell/failure'
import type { Question } from '../approval-request.ts'
import type { KeeperAccount } from '../key-keeper.ts'
import type { Event, Input } from './wallet.flow.ts'

/** An account of the samples. */
export const account: KeeperAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
  verified: true,
  groups: [],
}

/** A question of the samples. */
export const question: Question = {
  id: 1,
  kind: 'connect',
  origin: 'https://lender.example',
  waiting: 1,
  choices: [],
  lifetimeS: 86_400,
}

/** What the wallet may begin with. */
export const inputs: readonly Input[] = [{ signedIn: true }, { signedIn: false }]

const decided = { kind: 'sign', how: 'agreed' } as const

/** What the wallet may hear, one of each kind and flavor. */
export const events: readonly Event[] = [
  { type: 'signedIn' },
  { type: 'signedOut' },
  { type: 'locked' },
  { type: 'unlocked' },
  { type: 'accountsRead', accounts: [] },
  { type: 'accountsRead', accounts: [account] },
  { type: 'refused', failure: UNEXPECTED },
  { type: 'retried' },
  { type: 'accountsChanged' },
  { type: 'connectionChanged', connection: { step: 'none' } },
  { type: 'connectionChanged', connection: { step: 'asking', question } },
  { type: 'connectionChanged', connection: { step: 'connected', until: 0, decided: undefined } },
  { type: 'connectionChanged', connection: { step: 'connected', until: 0, decided } },
  {
    type: 'connectionChanged',
    connection: { step: 'over', how: 'ended-by-page', decided: undefined },
  },
  { type: 'answered', questionId: 1, result: undefined },
  { type: 'disconnectAsked' },
  { type: 'rested' },
  { type: 'logInAsked' },
  { type: 'closed' },
  { type: 'replaced' },
]
