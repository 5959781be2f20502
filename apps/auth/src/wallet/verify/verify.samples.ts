import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './verify.flow.ts'

/** What a verification may begin with. */
export const inputs: readonly Input[] = [
  { wanted: { walletAddress: 'tp1me' }, connected: false },
  { wanted: undefined, connected: false },
  { wanted: { walletAddress: 'tp1me' }, connected: true },
]

/** What it may hear, one of each kind. */
export const events: readonly Event[] = [
  { type: 'wayChosen', way: 'mobile' },
  { type: 'wayChosen', way: 'extension' },
  { type: 'wayChosen', way: 'hosted' },
  { type: 'wayLeft' },
  { type: 'connected', wallet: { address: 'tp1me' } },
  { type: 'connected', wallet: { address: 'tp1other' } },
  { type: 'signed', signedNonceHex: 'ab' },
  { type: 'attached' },
  { type: 'alreadyAttached' },
  { type: 'refused', failure: UNEXPECTED },
]
