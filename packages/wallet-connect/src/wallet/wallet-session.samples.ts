import { RPC_ERRORS } from '../protocol/errors.ts'
import type { SigningAccount } from './active-account.ts'
import type { WalletEvent, WalletInput } from './wallet-session.flow.ts'

const ACCOUNT: SigningAccount = {
  address: 'tp1',
  publicKey: new Uint8Array(),
  sign: () => new Uint8Array(),
  walletInfo: {},
}
const PAGE = { peerId: 'page', peerMeta: { name: '', description: '', url: '', icons: [] } }
const ALONE = { account: ACCOUNT, group: null }
const GROUPED = { account: ACCOUNT, group: { address: 'tp1group' } }

/** A session starts from a URI or resumes a stored session. */
export const inputs: readonly WalletInput[] = [{}, { resumed: { page: PAGE, acting: ALONE } }]

/** One event of each kind. */
export const events: readonly WalletEvent[] = [
  { type: 'sessionRequested', request: { ...PAGE, chainId: null, idText: '1' } },
  { type: 'requestTimedOut' },
  { type: 'accountChosen', acting: ALONE, accounts: [] },
  { type: 'connectionRejected', error: RPC_ERRORS.connectionRejected },
  {
    type: 'requestArrived',
    request: { kind: 'request', id: 2, idText: '2', method: 'provenance_sign', params: [] },
  },
  { type: 'accountSwitched', acting: GROUPED, accounts: [] },
  { type: 'pageEnded' },
  { type: 'walletEnded' },
  { type: 'expiryReached' },
  { type: 'failed' },
]
