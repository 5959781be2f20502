import type { Services } from '@portico/flow'
import { RPC_ERRORS, WalletError } from '../protocol/errors.ts'
import {
  approvalResult,
  type PeerMeta,
  SESSION_REQUEST,
  sessionEnd,
  sessionUpdate,
} from '../protocol/handshake.ts'
import { newRpcId, rpcError, rpcRequestText, rpcSuccess } from '../protocol/json-rpc.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Peer } from '../transport/peer.ts'
import type { After } from '../transport/ports.ts'
import {
  type Account,
  type ApprovedAccount,
  accountList,
  eligibleAccounts,
  invalidPreference,
} from './accounts.ts'
import type { Approver } from './approver.ts'
import type { RequestServer } from './serve-request.ts'
import {
  type ConnectedState,
  pageOf,
  type SessionEnd,
  type WalletCommand,
  type WalletEvent,
} from './wallet-session.flow.ts'

/** The dependencies of the services. */
export interface WalletServiceDeps {
  readonly peer: Peer
  readonly approver: Approver
  readonly server: RequestServer
  readonly accounts: readonly Account[]
  readonly connectOptions: ConnectOptions
  readonly durationMs: number
  readonly tokenLifetimeS: number
  readonly walletId: string
  readonly introduction: PeerMeta
  readonly chainId: string
  readonly now: () => number
  readonly after: After
  /** Stores the session, or removes it. */
  readonly store: (session: ConnectedState | undefined) => void
  readonly storeRequest: (request: string | undefined) => void
  readonly onClosed: (end: SessionEnd) => void
}

// Pages send their request before they show the code, so it is already queued at the relay.
const REQUEST_LIMIT_MS = 60_000

// The longest delay of a timer.
const TIMER_MAXIMUM_MS = 2 ** 31 - 1

export function walletServices(deps: WalletServiceDeps): Services<WalletEvent, WalletCommand> {
  const { peer, approver, server, connectOptions, now } = deps
  const terms = (account: ApprovedAccount) => ({
    chainId: deps.chainId,
    networkId: 0,
    accounts: accountList(account),
    rpcUrl: '',
  })

  function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = deps.after(Math.min(milliseconds, TIMER_MAXIMUM_MS), resolve)
    signal.addEventListener('abort', cancel)
    return promise
  }

  return {
    async awaitRequest(_, signal) {
      await delay(REQUEST_LIMIT_MS, signal)
      return { type: 'requestTimedOut' }
    },

    storeRequest({ request: { idText, ...request } }) {
      deps.storeRequest(rpcRequestText({ idText, method: SESSION_REQUEST, params: [request] }))
    },
    removeRequest: () => deps.storeRequest(undefined),

    async promptUser({ request }, signal) {
      const accounts = eligibleAccounts(deps.accounts, connectOptions)
      if (accounts.length === 0)
        return { type: 'connectionRejected', error: RPC_ERRORS.accountUnavailable }
      try {
        const { tokenLifetimeS, durationMs } = deps
        const account = await approver.connect(
          { page: pageOf(request), request, connectOptions, accounts, tokenLifetimeS },
          { signal, commit: () => signal.throwIfAborted(), release: () => undefined },
        )
        const error = invalidPreference(account, connectOptions)
        if (error !== undefined) return { type: 'connectionRejected', error }
        return { type: 'accountApproved', account, durationMs, now: now() }
      } catch (error) {
        if (!(error instanceof WalletError && error.code === 'rejected')) throw error
        return { type: 'connectionRejected', error: RPC_ERRORS.connectionRejected }
      }
    },

    approve({ request, account }) {
      const { walletId: peerId, introduction: peerMeta } = deps
      const approval = { ...terms(account), peerId, peerMeta }
      peer.send(request.peerId, rpcSuccess(request, approvalResult(approval)))
    },

    refuse({ request, error }) {
      peer.send(request.peerId, rpcError(request, error))
    },

    storeSession: ({ session }) => deps.store(session),
    removeSession: () => deps.store(undefined),

    async awaitExpiry({ expiresAt }, signal) {
      while (now() < expiresAt) await delay(expiresAt - now(), signal)
      return { type: 'timerFired', now: now() }
    },

    async serve({ request, page }, signal) {
      const result = await server.serve(request, page, signal)
      switch (result.kind) {
        case 'switched': {
          const { account, response: text } = result
          const response = { idText: request.idText, text }
          return { type: 'accountSwitched', account, response, now: now() }
        }
        case 'answered':
          return { type: 'requestAnswered', redirectUrl: result.redirectUrl, now: now() }
        case 'settled':
          return undefined
      }
    },

    goTo: ({ url }) => approver.goTo?.(url),

    // The update first, so that the page already has the new account when it receives the response.
    sendUpdate({ page, account, response }) {
      peer.send(page.peerId, JSON.stringify(sessionUpdate(newRpcId(), terms(account))))
      if (response !== undefined) server.respond(page, response)
    },

    sendEnd({ page }) {
      peer.send(page.peerId, JSON.stringify(sessionEnd(newRpcId())))
    },

    async close({ end }) {
      await peer.close()
      deps.onClosed(end)
    },
  }
}
