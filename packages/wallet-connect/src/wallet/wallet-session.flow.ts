/**
 * The wallet's side of a session (protocol 6) as a flow table: it waits for the page's request, prompts the user, serves the
 * page while connected, and ends exactly once.
 */
import { flow } from '@portico/flow'
import { RPC_ERRORS, type RpcError } from '../protocol/errors.ts'
import type { SessionRequest } from '../protocol/handshake.ts'
import type { ReceivedRequest } from '../protocol/json-rpc.ts'
import type { ActiveAccount } from './active-account.ts'
import type { Page } from './approver.ts'

/** Why a session endedWith. */
export type Ending =
  | 'ended-by-page'
  | 'ended-by-wallet'
  | 'expired'
  | 'failed'
  | 'rejected'
  | 'unanswered'

/** A session request with the id of its response. */
interface IdentifiedSessionRequest extends SessionRequest {
  readonly idText: string
}

/** A response that is sent together with a session update. */
interface UpdateResponse {
  readonly idText: string
  readonly text: string
}

/** The state of a wallet session. */
export type WalletState =
  | { readonly step: 'waiting' }
  | { readonly step: 'asking'; readonly request: IdentifiedSessionRequest }
  | { readonly step: 'connected'; readonly page: Page; readonly acting: ActiveAccount }
  | { readonly step: 'ended'; readonly how: Ending; readonly message: string }

/** The events of a wallet session. */
export type WalletEvent =
  | { readonly type: 'sessionRequested'; readonly request: IdentifiedSessionRequest }
  | { readonly type: 'requestTimedOut' }
  | {
      readonly type: 'accountChosen'
      readonly acting: ActiveAccount
      readonly accounts: readonly unknown[]
    }
  | { readonly type: 'connectionRejected'; readonly error: RpcError }
  | { readonly type: 'requestArrived'; readonly request: ReceivedRequest }
  | {
      readonly type: 'accountSwitched'
      readonly acting: ActiveAccount
      readonly accounts: readonly unknown[]
      readonly response?: UpdateResponse | undefined
    }
  | { readonly type: 'pageEnded' }
  | { readonly type: 'walletEnded' }
  | { readonly type: 'expiryReached' }
  | { readonly type: 'failed' }

/** The commands of a wallet session. */
export type WalletCommand =
  | { readonly type: 'awaitRequest' }
  | { readonly type: 'promptUser'; readonly request: IdentifiedSessionRequest }
  | {
      readonly type: 'approve'
      readonly request: IdentifiedSessionRequest
      readonly accounts: readonly unknown[]
    }
  | {
      readonly type: 'refuse'
      readonly request: IdentifiedSessionRequest
      readonly error: RpcError
    }
  | { readonly type: 'watchExpiry' }
  | { readonly type: 'serve'; readonly request: ReceivedRequest; readonly page: Page }
  | {
      readonly type: 'sendUpdate'
      readonly page: Page
      readonly accounts: readonly unknown[]
      readonly response: UpdateResponse | undefined
    }
  | { readonly type: 'sendEnd'; readonly page: Page }
  | { readonly type: 'close' }

/** A session starts from a URI or resumes a stored session. */
export interface WalletInput {
  readonly resumed?: { readonly page: Page; readonly acting: ActiveAccount } | undefined
}

const MESSAGES: Readonly<Record<Ending, string>> = {
  'ended-by-page': 'The page ended the session.',
  'ended-by-wallet': 'The wallet ended the session.',
  expired: 'The session reached the end of its time.',
  failed: 'The session ended because of an internal error.',
  rejected: 'The connection was declined.',
  unanswered:
    'The page did not ask for a session. Its code may be used or too old: make a new one.',
}

export const walletSession = flow<WalletState, WalletEvent, WalletCommand, WalletInput>({
  name: 'wallet-session',
  begin: ({ resumed }) =>
    resumed === undefined
      ? [{ step: 'waiting' }, { type: 'awaitRequest' }]
      : [{ step: 'connected', ...resumed }, { type: 'watchExpiry' }],
  failed: { type: 'failed' },
  on: {
    waiting: {
      sessionRequested: (_, { request }) => [
        { step: 'asking', request },
        { type: 'promptUser', request },
      ],
      requestTimedOut: () => endedWith('unanswered'),
      walletEnded: () => endedWith('ended-by-wallet'),
      failed: () => endedWith('failed'),
    },
    asking: {
      accountChosen: ({ request }, { acting, accounts }) => [
        { step: 'connected', page: pageOf(request), acting },
        { type: 'approve', request, accounts },
        { type: 'watchExpiry' },
      ],
      connectionRejected: ({ request }, { error }) => [
        { ...endedState('rejected'), message: error.message },
        { type: 'refuse', request, error },
        { type: 'close' },
      ],
      pageEnded: () => endedWith('ended-by-page'),
      walletEnded: ({ request }) => [
        endedState('ended-by-wallet'),
        { type: 'refuse', request, error: RPC_ERRORS.connectionRejected },
        { type: 'close' },
      ],
      failed: ({ request }) => [
        endedState('failed'),
        { type: 'refuse', request, error: RPC_ERRORS.internalError },
        { type: 'close' },
      ],
    },
    connected: {
      requestArrived: (state, { request }) => [state, { type: 'serve', request, page: state.page }],
      accountSwitched: (state, { acting, accounts, response }) => [
        { ...state, acting },
        { type: 'sendUpdate', page: state.page, accounts, response },
      ],
      pageEnded: () => endedWith('ended-by-page'),
      walletEnded: ({ page }) => [
        endedState('ended-by-wallet'),
        { type: 'sendEnd', page },
        { type: 'close' },
      ],
      expiryReached: ({ page }) => [
        endedState('expired'),
        { type: 'sendEnd', page },
        { type: 'close' },
      ],
      failed: ({ page }) => [endedState('failed'), { type: 'sendEnd', page }, { type: 'close' }],
    },
    ended: {},
  },
})

export function pageOf({ peerId, peerMeta }: SessionRequest): Page {
  return { peerId, peerMeta }
}

function endedState(how: Ending): Extract<WalletState, { step: 'ended' }> {
  return { step: 'ended', how, message: MESSAGES[how] }
}

function endedWith(how: Ending): [WalletState, WalletCommand] {
  return [endedState(how), { type: 'close' }]
}
