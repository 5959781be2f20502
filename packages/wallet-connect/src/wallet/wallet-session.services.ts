/** The services of a wallet session: prompting the user, notifying the page, expiry and storage. */
import type { Services } from '@portico/flow'
import { RPC_ERRORS } from '../protocol/errors.ts'
import { approvalResult, type PeerMeta, sessionEnd, sessionUpdate } from '../protocol/handshake.ts'
import { newRpcId, rpcError, rpcSuccess } from '../protocol/json-rpc.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Peer } from '../transport/peer.ts'
import type { After } from '../transport/ports.ts'
import type { ActiveAccount, SigningAccount } from './active-account.ts'
import type { Approver } from './approver.ts'
import { eligibleAccounts, invalidPreference } from './connect-preferences.ts'
import type { RequestServer } from './serve-request.ts'
import { pageOf, type WalletCommand, type WalletEvent } from './wallet-session.flow.ts'

/** The dependencies of the services. */
export interface WalletServiceDeps {
  readonly peer: Peer
  readonly approver: Approver
  readonly server: RequestServer
  readonly accounts: readonly SigningAccount[]
  readonly wishes: ConnectOptions
  readonly walletId: string
  readonly introduction: PeerMeta
  readonly chainId: string
  readonly deadline: Deadline
  readonly now: () => number
  readonly after: After
  /** The accounts of an approval or update, with a new token. */
  readonly accountsOf: (acting: ActiveAccount) => Promise<readonly unknown[]>
  /** Stores the current session, or removes it after its end. */
  readonly store: () => void
}

/** When the session expires, in epoch milliseconds. */
interface Deadline {
  readonly at: () => number
  /** Restarts the timeout, as the page does after each operation. */
  readonly extend: () => void
}

// Pages send their request before they show the code, so it is already queued at the relay.
const REQUEST_LIMIT_MS = 60_000

// The longest delay of a timer.
const TIMER_MAXIMUM_MS = 2 ** 31 - 1

export function walletServices(deps: WalletServiceDeps): Services<WalletEvent, WalletCommand> {
  const { peer, approver, server, wishes, deadline } = deps
  const terms = (accounts: readonly unknown[]) => ({
    chainId: deps.chainId,
    networkId: 0,
    accounts,
    rpcUrl: '',
  })

  function goTo(url: string | undefined): void {
    if (url !== undefined) approver.goTo?.(url)
  }

  function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = deps.after(Math.min(milliseconds, TIMER_MAXIMUM_MS), resolve)
    signal.addEventListener('abort', cancel)
    return promise
  }

  function extendAndStore(): void {
    deadline.extend()
    deps.store()
  }

  return {
    async awaitRequest(_, signal) {
      await delay(REQUEST_LIMIT_MS, signal)
      return { type: 'requestTimedOut' }
    },

    async promptUser({ request }, signal) {
      const accounts = eligibleAccounts(deps.accounts, wishes)
      if (accounts.length === 0)
        return { type: 'connectionRejected', error: RPC_ERRORS.accountUnavailable }
      const acting = await approver.connect(
        { page: pageOf(request), request, wishes, accounts },
        signal,
      )
      if (acting === undefined)
        return { type: 'connectionRejected', error: RPC_ERRORS.connectionRejected }
      const error = invalidPreference(acting, wishes)
      if (error !== undefined) return { type: 'connectionRejected', error }
      return { type: 'accountChosen', acting, accounts: await deps.accountsOf(acting) }
    },

    approve({ request, accounts }) {
      const { walletId: peerId, introduction: peerMeta } = deps
      const approval = { ...terms(accounts), peerId, peerMeta }
      peer.send(request.peerId, rpcSuccess(request, approvalResult(approval)))
      extendAndStore()
      goTo(request.redirectUrl)
    },

    refuse({ request, error }) {
      peer.send(request.peerId, rpcError(request, error))
      goTo(request.redirectUrl)
    },

    async watchExpiry(_, signal) {
      while (deps.now() < deadline.at()) await delay(deadline.at() - deps.now(), signal)
      return { type: 'expiryReached' }
    },

    async serve({ request, page }, signal) {
      const result = await server.serve(request, page, signal)
      if (result.kind === 'switched') {
        const { acting, accounts, answer: text } = result
        const response = { idText: request.idText, text }
        return { type: 'accountSwitched', acting, accounts, response }
      }
      if (result.kind === 'answered') {
        extendAndStore()
        goTo(result.redirectUrl)
      }
      return undefined
    },

    // The update first, so that the page already has the new account when it receives the response.
    sendUpdate({ page, accounts, response }) {
      peer.send(page.peerId, JSON.stringify(sessionUpdate(newRpcId(), terms(accounts))))
      if (response !== undefined) server.answer(response.idText, response.text)
      extendAndStore()
    },

    sendEnd({ page }) {
      peer.send(page.peerId, JSON.stringify(sessionEnd(newRpcId())))
    },

    async close() {
      deps.store()
      await peer.close()
    },
  }
}
