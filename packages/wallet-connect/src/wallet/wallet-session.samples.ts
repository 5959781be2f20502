import { RPC_ERRORS } from '../protocol/errors.ts'
import type { HeldAccount } from './acting.ts'
import type { WalletEvent, WalletInput } from './wallet-session.flow.ts'

const ACCOUNT: HeldAccount = {
  address: 'tp1',
  publicKey: new Uint8Array(),
  sign: () => new Uint8Array(),
  walletInfo: {},
}
const PAGE = { peerId: 'page', peerMeta: { name: '', description: '', url: '', icons: [] } }
const ALONE = { account: ACCOUNT, group: null }
const GROUPED = { account: ACCOUNT, group: { address: 'tp1group' } }

/** A session begins with a URI, or goes on with what was stored. */
export const inputs: readonly WalletInput[] = [{}, { resumed: { page: PAGE, acting: ALONE } }]

/** What can happen to it, one of each kind. */
export const events: readonly WalletEvent[] = [
  { type: 'sessionAsked', asked: { ...PAGE, chainId: null, idText: '1' } },
  { type: 'requestMissed' },
  { type: 'accountChosen', acting: ALONE, accounts: [] },
  { type: 'connectionRefused', fault: RPC_ERRORS.connectionRejected },
  {
    type: 'requestArrived',
    request: { kind: 'request', id: 2, idText: '2', method: 'provenance_sign', params: [] },
  },
  { type: 'actingChanged', acting: GROUPED, accounts: [] },
  { type: 'pageEnded' },
  { type: 'walletEnded' },
  { type: 'timeRanOut' },
  { type: 'failed' },
]
