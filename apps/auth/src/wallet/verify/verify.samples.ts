import { UNEXPECTED } from '@portico/shell/failure'
import type { Event, Input } from './verify.flow.ts'

export const inputs: readonly Input[] = [
  { wanted: { walletAddress: 'tp1me' }, connected: false },
  { wanted: undefined, connected: false },
  { wanted: { walletAddress: 'tp1me' }, connected: true },
]

export const events: readonly Event[] = [
  { type: 'walletKindChosen', walletKind: 'mobile' },
  { type: 'walletKindChosen', walletKind: 'extension' },
  { type: 'walletKindChosen', walletKind: 'hosted' },
  { type: 'connectionEnded', walletKind: 'hosted' },
  { type: 'connectClosed' },
  { type: 'reconnectRequested' },
  { type: 'connected', wallet: { address: 'tp1me' } },
  { type: 'connected', wallet: { address: 'tp1other' } },
  { type: 'signed', signedNonceHex: 'ab' },
  { type: 'attached' },
  { type: 'alreadyAttached' },
  { type: 'refused', failure: UNEXPECTED },
]
