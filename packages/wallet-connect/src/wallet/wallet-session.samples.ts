import { RPC_ERRORS } from '../protocol/errors.ts'
import type { Account } from './accounts.ts'
import type { WalletEvent, WalletInput } from './wallet-session.flow.ts'

const ACCOUNT: Account = { address: 'tp1', publicKey: new Uint8Array(), walletInfo: {} }
const PAGE = { peerId: 'page', peerMeta: { name: '', description: '', url: '', icons: [] } }
const REQUEST = { ...PAGE, chainId: null, idText: '1' }
const ALONE = { account: ACCOUNT, group: null }
const GROUPED = { account: ACCOUNT, group: { address: 'tp1group' } }

/** A session starts from a URI, from a stored request that may be refused already, or resumes a stored session. */
export const inputs: readonly WalletInput[] = [
  {},
  { request: REQUEST },
  { request: REQUEST, refusal: RPC_ERRORS.connectionRejected },
  { resumed: { page: PAGE, acting: ALONE, durationMs: 1000, expiresAt: 1000 } },
]

/** One event of each kind. */
export const events: readonly WalletEvent[] = [
  { type: 'sessionRequested', request: REQUEST },
  { type: 'requestTimedOut' },
  { type: 'accountApproved', account: { ...ALONE, jwt: '' }, durationMs: 1000, now: 0 },
  { type: 'connectionRejected', error: RPC_ERRORS.connectionRejected },
  {
    type: 'requestArrived',
    request: { kind: 'request', id: 2, idText: '2', method: 'provenance_sign', params: [] },
  },
  { type: 'unansweredChanged', unanswered: ['2'] },
  { type: 'requestAnswered', redirectUrl: undefined, now: 0 },
  { type: 'requestAnswered', redirectUrl: 'https://dapp.example', now: 0 },
  { type: 'accountSwitched', account: { ...GROUPED, jwt: '' }, now: 0 },
  { type: 'timeoutReset', durationMs: 1000, now: 0 },
  { type: 'pageEnded' },
  { type: 'walletEnded' },
  { type: 'walletLeft' },
  { type: 'timerFired', now: 0 },
  { type: 'timerFired', now: 1000 },
  { type: 'failed' },
]
