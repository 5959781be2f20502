import type { Services } from '@portico/flow'
import { RPC_ERRORS, type RpcError, WalletError } from '../protocol/errors.ts'
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
import type { Approver, Page } from './approver.ts'
import type { PromptQueue } from './prompt-queue.ts'
import type { RequestServer } from './serve-request.ts'
import type { SessionStorage } from './session-storage.ts'
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
  readonly storage: SessionStorage
  readonly queue: PromptQueue | undefined
  /** Sends a message that reaches the page even if this process is stopped after it was stored. */
  readonly post: (
    page: Page,
    text: string,
    options?: { readonly requiresStorage?: boolean },
  ) => void
  /** Replaces what `storage` writes. */
  readonly setStored: (stored: StoredStep) => void
  readonly onClosed: (end: SessionEnd) => void
}

/** What is stored of a session: the page's undecided or refused request, or the connected session; undefined removes it. */
export type StoredStep =
  | { readonly kind: 'request'; readonly request: StoredSessionRequest | undefined }
  | { readonly kind: 'session'; readonly session: ConnectedState | undefined }

interface StoredSessionRequest {
  readonly text: string
  readonly refusal: RpcError | undefined
}

// Pages send their request before they show the code, so it is already queued at the relay.
const REQUEST_LIMIT_MS = 60_000

// The longest delay of a timer.
const MAX_TIMER_MS = 2 ** 31 - 1

export function walletServices(deps: WalletServiceDeps): Services<WalletEvent, WalletCommand> {
  const { peer, approver, server, storage, connectOptions, now } = deps
  const terms = (account: ApprovedAccount) => ({
    chainId: deps.chainId,
    networkId: 0,
    accounts: accountList(account),
    rpcUrl: '',
  })

  function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = deps.after(Math.min(milliseconds, MAX_TIMER_MS), resolve)
    signal.addEventListener('abort', cancel)
    return promise
  }

  function save(stored: StoredStep): void {
    deps.setStored(stored)
    // A failure is reported by the storage.
    storage.save().catch(() => undefined)
  }

  /** Removes the session after what was saved before, which other messages depend on. */
  function remove(stored: StoredStep): void {
    storage.afterSaving(() => save(stored))
  }

  return {
    async awaitRequest(_, signal) {
      await delay(REQUEST_LIMIT_MS, signal)
      return { type: 'requestTimedOut' }
    },

    storeRequest({ request: { idText, ...request }, refusal }) {
      const text = rpcRequestText({ idText, method: SESSION_REQUEST, params: [request] })
      save({ kind: 'request', request: { text, refusal } })
    },
    removeRequest: () => remove({ kind: 'request', request: undefined }),

    async promptUser({ request }, signal) {
      const accounts = eligibleAccounts(deps.accounts, connectOptions)
      if (accounts.length === 0)
        return { type: 'connectionRejected', error: RPC_ERRORS.accountUnavailable }
      try {
        const { tokenLifetimeS, durationMs, queue } = deps
        const { idText: requestId } = request
        await storage.saved()
        const prompt = {
          requestId,
          signal,
          commit: () => signal.throwIfAborted(),
          release: () => undefined,
          stored: async () => void (await storage.saved()),
        }
        const details = { page: pageOf(request), request, connectOptions, accounts, tokenLifetimeS }
        const ask = () => approver.connect(details, prompt)
        const account = await (queue === undefined
          ? ask()
          : queue.run({ requestId, arrivedAt: now() }, ask, signal))
        const error = invalidPreference(account, connectOptions)
        if (error !== undefined) return { type: 'connectionRejected', error }
        return { type: 'accountApproved', account, durationMs, now: now() }
      } catch (error) {
        if (!(error instanceof WalletError && error.code === 'rejected')) throw error
        return { type: 'connectionRejected', error: RPC_ERRORS.connectionRejected }
      }
    },

    async approve({ request, account }) {
      const { walletId: peerId, introduction: peerMeta } = deps
      const approval = { ...terms(account), peerId, peerMeta }
      const text = rpcSuccess(request, approvalResult(approval))
      deps.post(pageOf(request), text, { requiresStorage: true })
      const { promise: saved, resolve } = Promise.withResolvers<boolean>()
      storage.afterSaving(resolve)
      if (await saved) return undefined
      // A session that is not stored would be gone after a restart. The storage has reported why.
      peer.send(request.peerId, rpcError(request, RPC_ERRORS.internalError))
      return { type: 'failed' }
    },

    refuse({ request, error }) {
      storage.afterSaving(() => peer.send(request.peerId, rpcError(request, error)))
    },

    storeSession: ({ session }) => save({ kind: 'session', session }),
    removeSession: () => remove({ kind: 'session', session: undefined }),

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
      deps.post(page, JSON.stringify(sessionUpdate(newRpcId(), terms(account))))
      if (response !== undefined) server.respond(page, response)
    },

    sendEnd({ page }) {
      const text = JSON.stringify(sessionEnd(newRpcId()))
      storage.afterSaving(() => peer.send(page.peerId, text))
    },

    async close({ end }) {
      await storage.settled()
      await peer.close()
      deps.onClosed(end)
    },
  }
}
