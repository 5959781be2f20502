import { UNEXPECTED } from '@portico/shell/failure'
import type { ApprovalPrompt } from '@portico/wallet-kit/approval-prompt'
import type { WalletAccount } from '@portico/wallet-kit/key-keeper'
import type { Event, Input } from './wallet.flow.ts'

/** A sample account. */
export const account: WalletAccount = {
  name: 'Everyday',
  address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
  publicKey: 'Ax6LE0FlMU9qMFYEOJZpEXQ49IPjbsgCrk/2khQ6UM7k',
  verified: true,
  groups: [],
}

/** A sample prompt. */
export const prompt: ApprovalPrompt = {
  id: '1',
  kind: 'connect',
  origin: 'https://lender.example',
  waiting: 1,
  choices: [],
  lifetimeS: 86_400,
}

export const inputs: readonly Input[] = [{ signedIn: true }, { signedIn: false }]

const decided = { kind: 'sign', how: 'agreed' } as const

/** Events of each kind and variant. */
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
  { type: 'connectionChanged', connection: { step: 'asking', prompt } },
  {
    type: 'connectionChanged',
    connection: { step: 'connected', until: 0, decided: undefined, awaited: 0 },
  },
  { type: 'connectionChanged', connection: { step: 'connected', until: 0, decided, awaited: 0 } },
  {
    type: 'connectionChanged',
    connection: {
      step: 'connected',
      until: 0,
      decided: { kind: 'send', how: 'proposed' },
      awaited: 1,
    },
  },
  {
    type: 'connectionChanged',
    connection: { step: 'ended', how: 'ended-by-page', decided: undefined },
  },
  { type: 'answered', promptId: '1', result: undefined },
  { type: 'disconnectRequested' },
  { type: 'closeDelayPassed' },
  { type: 'logInRequested' },
  { type: 'closed' },
  { type: 'replaced' },
]
