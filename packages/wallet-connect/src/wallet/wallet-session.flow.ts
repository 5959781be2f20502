/**
 * The wallet's side of a session (protocol 6), as a table: it waits for the page's request, asks the person, serves the
 * page while connected, and ends once, for one reason.
 */
import { flow } from '@portico/flow'
import { RPC_ERRORS, type RpcErrorName } from '../protocol/errors.ts'
import type { SessionRequest } from '../protocol/handshake.ts'
import type { ReceivedRequest } from '../protocol/json-rpc.ts'
import type { Acting } from './acting.ts'
import type { Page } from './approver.ts'

/** Why a session is over. */
export type Ending =
  | 'ended-by-page'
  | 'ended-by-wallet'
  | 'expired'
  | 'failed'
  | 'rejected'
  | 'unanswered'

/** A request for a session, and the id under which it is answered. */
interface AskedSession extends SessionRequest {
  readonly idText: string
}

/** An answer that leaves together with a change. */
interface Answering {
  readonly idText: string
  readonly text: string
}

/** Where a wallet's session stands. */
export type WalletState =
  | { readonly step: 'waiting' }
  | { readonly step: 'asking'; readonly asked: AskedSession }
  | { readonly step: 'connected'; readonly page: Page; readonly acting: Acting }
  | { readonly step: 'ended'; readonly how: Ending; readonly message: string }

/** What can happen to it. */
export type WalletEvent =
  | { readonly type: 'sessionAsked'; readonly asked: AskedSession }
  | { readonly type: 'requestMissed' }
  | {
      readonly type: 'accountChosen'
      readonly acting: Acting
      readonly accounts: readonly unknown[]
    }
  | { readonly type: 'connectionRefused'; readonly fault: RpcErrorName }
  | { readonly type: 'requestArrived'; readonly request: ReceivedRequest }
  | {
      readonly type: 'actingChanged'
      readonly acting: Acting
      readonly accounts: readonly unknown[]
      readonly answering?: Answering | undefined
    }
  | { readonly type: 'pageEnded' }
  | { readonly type: 'walletEnded' }
  | { readonly type: 'timeRanOut' }
  | { readonly type: 'failed' }

/** What is to be done. */
export type WalletCommand =
  | { readonly type: 'awaitRequest' }
  | { readonly type: 'askPerson'; readonly asked: AskedSession }
  | {
      readonly type: 'approve'
      readonly asked: AskedSession
      readonly accounts: readonly unknown[]
    }
  | { readonly type: 'refuse'; readonly asked: AskedSession; readonly fault: RpcErrorName }
  | { readonly type: 'watchTime' }
  | { readonly type: 'serve'; readonly request: ReceivedRequest; readonly page: Page }
  | {
      readonly type: 'tellChange'
      readonly page: Page
      readonly accounts: readonly unknown[]
      readonly answering: Answering | undefined
    }
  | { readonly type: 'tellEnd'; readonly page: Page }
  | { readonly type: 'close' }

/** A session begins with a URI, or goes on where a stored one stopped. */
export interface WalletInput {
  readonly resumed?: { readonly page: Page; readonly acting: Acting } | undefined
}

const MESSAGES: Readonly<Record<Ending, string>> = {
  'ended-by-page': 'The page ended the session.',
  'ended-by-wallet': 'The wallet ended the session.',
  expired: 'The session lasted as long as the page wanted.',
  failed: 'The session ended because of a defect.',
  rejected: 'The connection was refused.',
  unanswered:
    'The page did not ask for a session. Its code may be used or too old: make a new one.',
}

/** The table. */
export const walletSession = flow<WalletState, WalletEvent, WalletCommand, WalletInput>({
  name: 'wallet-session',
  begin: ({ resumed }) =>
    resumed === undefined
      ? [{ step: 'waiting' }, { type: 'awaitRequest' }]
      : [{ step: 'connected', ...resumed }, { type: 'watchTime' }],
  failed: { type: 'failed' },
  on: {
    waiting: {
      sessionAsked: (_, { asked }) => [
        { step: 'asking', asked },
        { type: 'askPerson', asked },
      ],
      requestMissed: () => ended('unanswered'),
      walletEnded: () => ended('ended-by-wallet'),
      failed: () => ended('failed'),
    },
    asking: {
      accountChosen: ({ asked }, { acting, accounts }) => [
        { step: 'connected', page: pageOf(asked), acting },
        { type: 'approve', asked, accounts },
        { type: 'watchTime' },
      ],
      connectionRefused: ({ asked }, { fault }) => [
        { ...over('rejected'), message: fault.message },
        { type: 'refuse', asked, fault },
        { type: 'close' },
      ],
      pageEnded: () => ended('ended-by-page'),
      walletEnded: ({ asked }) => [
        over('ended-by-wallet'),
        { type: 'refuse', asked, fault: RPC_ERRORS.connectionRejected },
        { type: 'close' },
      ],
      failed: ({ asked }) => [
        over('failed'),
        { type: 'refuse', asked, fault: RPC_ERRORS.internalError },
        { type: 'close' },
      ],
    },
    connected: {
      requestArrived: (state, { request }) => [state, { type: 'serve', request, page: state.page }],
      actingChanged: (state, { acting, accounts, answering }) => [
        { ...state, acting },
        { type: 'tellChange', page: state.page, accounts, answering },
      ],
      pageEnded: () => ended('ended-by-page'),
      walletEnded: ({ page }) => [
        over('ended-by-wallet'),
        { type: 'tellEnd', page },
        { type: 'close' },
      ],
      timeRanOut: ({ page }) => [over('expired'), { type: 'tellEnd', page }, { type: 'close' }],
      failed: ({ page }) => [over('failed'), { type: 'tellEnd', page }, { type: 'close' }],
    },
    ended: {},
  },
})

/** Who asked, of a session request. */
export function pageOf({ peerId, peerMeta }: SessionRequest): Page {
  return { peerId, peerMeta }
}

function over(how: Ending): Extract<WalletState, { step: 'ended' }> {
  return { step: 'ended', how, message: MESSAGES[how] }
}

function ended(how: Ending): [WalletState, WalletCommand] {
  return [over(how), { type: 'close' }]
}
