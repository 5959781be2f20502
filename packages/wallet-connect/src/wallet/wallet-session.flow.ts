/**
 * The wallet's side of a session (protocol 6) as a flow table: it waits for the page's request, prompts the user, serves the
 * page while connected, and ends exactly once.
 */
import { flow, type Next } from '@portico/flow'
import { RPC_ERRORS, type RpcError } from '../protocol/errors.ts'
import type { SessionRequest } from '../protocol/handshake.ts'
import type { ReceivedRequest } from '../protocol/json-rpc.ts'
import type { ActiveAccount, ApprovedAccount } from './accounts.ts'
import type { Page } from './approver.ts'

/** Why a session ended. */
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

interface Connection {
  readonly page: Page
  readonly acting: ActiveAccount
  /** How long the session lasts after an operation, in milliseconds. */
  readonly durationMs: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The state of a wallet session. */
export type WalletState =
  | { readonly step: 'waiting' }
  | { readonly step: 'asking'; readonly request: IdentifiedSessionRequest }
  | ({
      readonly step: 'connected'
      /** The ids of the requests that are not answered yet. */
      readonly unanswered: readonly string[]
    } & Connection)
  /** The wallet was closed; the stored session can be resumed. */
  | { readonly step: 'left' }
  | ({ readonly step: 'ended' } & SessionEnd)

/** Why a session ended, and the message for the user. */
export interface SessionEnd {
  readonly how: Ending
  readonly message: string
}

export type ConnectedState = Extract<WalletState, { readonly step: 'connected' }>

/** The events of a wallet session. `now` is in epoch milliseconds. */
export type WalletEvent =
  | { readonly type: 'sessionRequested'; readonly request: IdentifiedSessionRequest }
  | { readonly type: 'requestTimedOut' }
  | {
      readonly type: 'accountApproved'
      readonly account: ApprovedAccount
      readonly durationMs: number
      readonly now: number
    }
  | { readonly type: 'connectionRejected'; readonly error: RpcError }
  | { readonly type: 'requestArrived'; readonly request: ReceivedRequest }
  | { readonly type: 'unansweredChanged'; readonly unanswered: readonly string[] }
  | {
      readonly type: 'requestAnswered'
      readonly redirectUrl: string | undefined
      readonly now: number
    }
  | {
      readonly type: 'accountSwitched'
      readonly account: ApprovedAccount
      readonly response?: UpdateResponse | undefined
      readonly now: number
    }
  | { readonly type: 'timeoutReset'; readonly durationMs: number; readonly now: number }
  | { readonly type: 'pageEnded' }
  | { readonly type: 'walletEnded' }
  | { readonly type: 'walletLeft' }
  | { readonly type: 'timerFired'; readonly now: number }
  | { readonly type: 'failed' }

/** The commands of a wallet session. */
export type WalletCommand =
  | { readonly type: 'awaitRequest' }
  | {
      readonly type: 'storeRequest'
      readonly request: IdentifiedSessionRequest
      /** The error that the page receives, if the request is already decided. */
      readonly refusal?: RpcError
    }
  | { readonly type: 'removeRequest' }
  | { readonly type: 'promptUser'; readonly request: IdentifiedSessionRequest }
  | {
      readonly type: 'approve'
      readonly request: IdentifiedSessionRequest
      readonly account: ApprovedAccount
    }
  | {
      readonly type: 'refuse'
      readonly request: IdentifiedSessionRequest
      readonly error: RpcError
    }
  | { readonly type: 'storeSession'; readonly session: ConnectedState }
  | { readonly type: 'removeSession' }
  | { readonly type: 'awaitExpiry'; readonly expiresAt: number }
  | { readonly type: 'serve'; readonly request: ReceivedRequest; readonly page: Page }
  | { readonly type: 'goTo'; readonly url: string }
  | {
      readonly type: 'sendUpdate'
      readonly page: Page
      readonly account: ApprovedAccount
      readonly response: UpdateResponse | undefined
    }
  | { readonly type: 'sendEnd'; readonly page: Page }
  | { readonly type: 'close'; readonly end: SessionEnd }

/** A session starts from a URI, from a page's stored request, or resumes a stored session. */
export interface WalletInput {
  readonly request?: IdentifiedSessionRequest | undefined
  /** The error for the stored request, if it is already decided. */
  readonly refusal?: RpcError | undefined
  readonly resumed?: Connection | undefined
}

const MESSAGES: Readonly<Record<Ending, string>> = {
  'ended-by-page': 'The page ended the session.',
  'ended-by-wallet': 'The wallet ended the session.',
  expired: 'The session reached the end of its time.',
  failed: 'The session ended because of an internal error.',
  rejected: 'The connection was declined.',
  unanswered:
    'The page did not request a session. Its code may be used or too old: create a new one.',
}

export const walletSession = flow<WalletState, WalletEvent, WalletCommand, WalletInput>({
  name: 'wallet-session',
  begin({ request, refusal, resumed }) {
    if (resumed !== undefined) {
      return [
        { step: 'connected', ...resumed, unanswered: [] },
        { type: 'awaitExpiry', expiresAt: resumed.expiresAt },
      ]
    }
    if (request !== undefined && refusal !== undefined) {
      return refuse(request, refusal, { how: 'rejected', message: refusal.message })
    }
    return request === undefined
      ? [{ step: 'waiting' }, { type: 'awaitRequest' }]
      : [
          { step: 'asking', request },
          { type: 'promptUser', request },
        ]
  },
  failed: { type: 'failed' },
  on: {
    waiting: {
      sessionRequested: (_, { request }) => [
        { step: 'asking', request },
        { type: 'storeRequest', request },
        { type: 'promptUser', request },
      ],
      requestTimedOut: () => end('unanswered'),
      walletEnded: () => end('ended-by-wallet'),
      walletLeft: leave,
      failed: () => end('failed'),
    },
    asking: {
      accountApproved({ request }, { account, durationMs, now }) {
        const state = {
          step: 'connected',
          page: pageOf(request),
          acting: activeAccount(account),
          durationMs,
          expiresAt: now + durationMs,
          unanswered: [],
        } as const
        return [
          state,
          // It replaces the stored request.
          { type: 'storeSession', session: state },
          { type: 'approve', request, account },
          ...goTo(request.redirectUrl),
          { type: 'awaitExpiry', expiresAt: state.expiresAt },
        ]
      },
      connectionRejected: ({ request }, { error }) =>
        refuse(request, error, { how: 'rejected', message: error.message }),
      pageEnded: () => end('ended-by-page', { type: 'removeRequest' }),
      walletEnded: ({ request }) =>
        refuse(request, RPC_ERRORS.connectionRejected, sessionEnd('ended-by-wallet')),
      walletLeft: leave,
      failed: ({ request }) => refuse(request, RPC_ERRORS.internalError, sessionEnd('failed')),
    },
    connected: {
      requestArrived: (state, { request }) => [state, { type: 'serve', request, page: state.page }],
      unansweredChanged: (state, { unanswered }) => store({ ...state, unanswered }),
      requestAnswered(state, { redirectUrl, now }) {
        const [next, ...commands] = store(extended(state, now))
        return [next, ...commands, ...goTo(redirectUrl)]
      },
      accountSwitched(state, { account, response, now }) {
        const [next, ...commands] = store({
          ...extended(state, now),
          acting: activeAccount(account),
        })
        return [next, { type: 'sendUpdate', page: state.page, account, response }, ...commands]
      },
      timeoutReset: (state, { durationMs, now }) => store(extended({ ...state, durationMs }, now)),
      timerFired: (state, { now }) =>
        now < state.expiresAt
          ? [state, { type: 'awaitExpiry', expiresAt: state.expiresAt }]
          : endConnection(state, 'expired'),
      pageEnded: () => end('ended-by-page', { type: 'removeSession' }),
      walletEnded: (state) => endConnection(state, 'ended-by-wallet'),
      walletLeft: leave,
      failed: (state) => endConnection(state, 'failed'),
    },
    left: {},
    ended: {},
  },
})

type Transition = Next<WalletState, WalletCommand>

export function pageOf({ peerId, peerMeta }: SessionRequest): Page {
  return { peerId, peerMeta }
}

const activeAccount = ({ account, group }: ApprovedAccount): ActiveAccount => ({ account, group })

/** Every operation restarts the timeout, as on the page's side. */
function extended(state: ConnectedState, now: number): ConnectedState {
  return { ...state, expiresAt: now + state.durationMs }
}

function store(session: ConnectedState): Transition {
  return [session, { type: 'storeSession', session }]
}

function goTo(url: string | undefined): readonly WalletCommand[] {
  return url === undefined ? [] : [{ type: 'goTo', url }]
}

function leave(): Transition {
  return [{ step: 'left' }]
}

function sessionEnd(how: Ending): SessionEnd {
  return { how, message: MESSAGES[how] }
}

function end(how: Ending, ...commands: readonly WalletCommand[]): Transition {
  const ending = sessionEnd(how)
  return [{ step: 'ended', ...ending }, ...commands, { type: 'close', end: ending }]
}

function endConnection({ page }: ConnectedState, how: Ending): Transition {
  return end(how, { type: 'sendEnd', page }, { type: 'removeSession' })
}

function refuse(
  request: IdentifiedSessionRequest,
  error: RpcError,
  ending: SessionEnd,
): Transition {
  return [
    { step: 'ended', ...ending },
    { type: 'storeRequest', request, refusal: error },
    { type: 'refuse', request, error },
    { type: 'removeRequest' },
    ...goTo(request.redirectUrl),
    { type: 'close', end: ending },
  ]
}
