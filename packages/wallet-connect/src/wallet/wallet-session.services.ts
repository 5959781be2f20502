/** What a wallet does in a session: asks the person, tells the page, watches the time, keeps or forgets. */
import type { Services } from '@portico/flow'
import { RPC_ERRORS } from '../protocol/errors.ts'
import { approvalResult, type PeerMeta, sessionEnd, sessionUpdate } from '../protocol/handshake.ts'
import { newRpcId, rpcError, rpcSuccess } from '../protocol/json-rpc.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Peer } from '../transport/peer.ts'
import type { After } from '../transport/ports.ts'
import type { Acting, HeldAccount } from './acting.ts'
import type { Person } from './approver.ts'
import { eligibleAccounts, invalidPreference } from './connect-preferences.ts'
import type { RequestServer } from './serve-request.ts'
import { pageOf, type WalletCommand, type WalletEvent } from './wallet-session.flow.ts'

/** What the services of a session work with. */
export interface WalletWorld {
  readonly peer: Peer
  readonly person: Person
  readonly server: RequestServer
  readonly accounts: readonly HeldAccount[]
  readonly wishes: ConnectOptions
  readonly walletId: string
  readonly introduction: PeerMeta
  readonly chainId: string
  readonly deadline: Deadline
  readonly now: () => number
  readonly after: After
  /** The accounts of an approval or update, with a fresh token. */
  readonly accountsOf: (acting: Acting) => Promise<readonly unknown[]>
  /** Stores the session as it is now, or forgets it. */
  readonly keep: () => void
}

/** When the session ends by itself, in epoch milliseconds. */
interface Deadline {
  readonly at: () => number
  /** The page's time begins anew, as it does for the page with each operation. */
  readonly extend: () => void
}

// A page that shows a code has sent its request before; it waits at the relay.
const REQUEST_LIMIT_MS = 60_000

// The longest wait a timer can be set to.
const TIMER_MAXIMUM_MS = 2 ** 31 - 1

/** The services of one session. */
export function walletServices(world: WalletWorld): Services<WalletEvent, WalletCommand> {
  const { peer, person, server, wishes, deadline } = world
  const terms = (accounts: readonly unknown[]) => ({
    chainId: world.chainId,
    networkId: 0,
    accounts,
    rpcUrl: '',
  })

  function goTo(url: string | undefined): void {
    if (url !== undefined) person.goTo?.(url)
  }

  function elapsed(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = world.after(Math.min(milliseconds, TIMER_MAXIMUM_MS), resolve)
    signal.addEventListener('abort', cancel)
    return promise
  }

  function lived(): void {
    deadline.extend()
    world.keep()
  }

  return {
    async awaitRequest(_, signal) {
      await elapsed(REQUEST_LIMIT_MS, signal)
      return { type: 'requestMissed' }
    },

    async askPerson({ asked }, signal) {
      const accounts = eligibleAccounts(world.accounts, wishes)
      if (accounts.length === 0)
        return { type: 'connectionRefused', fault: RPC_ERRORS.accountUnavailable }
      const acting = await person.connect({ page: pageOf(asked), asked, wishes, accounts }, signal)
      if (acting === undefined)
        return { type: 'connectionRefused', fault: RPC_ERRORS.connectionRejected }
      const fault = invalidPreference(acting, wishes)
      if (fault !== undefined) return { type: 'connectionRefused', fault }
      return { type: 'accountChosen', acting, accounts: await world.accountsOf(acting) }
    },

    approve({ asked, accounts }) {
      const { walletId: peerId, introduction: peerMeta } = world
      const approval = { ...terms(accounts), peerId, peerMeta }
      peer.send(asked.peerId, rpcSuccess(asked, approvalResult(approval)))
      lived()
      goTo(asked.redirectUrl)
    },

    refuse({ asked, fault }) {
      peer.send(asked.peerId, rpcError(asked, fault))
      goTo(asked.redirectUrl)
    },

    async watchTime(_, signal) {
      while (world.now() < deadline.at()) await elapsed(deadline.at() - world.now(), signal)
      return { type: 'timeRanOut' }
    },

    async serve({ request, page }, left) {
      const served = await server.serve(request, page, left)
      if (served.kind === 'switched') {
        const { acting, accounts, answer: text } = served
        const answering = { idText: request.idText, text }
        return { type: 'actingChanged', acting, accounts, answering }
      }
      if (served.kind === 'answered') {
        lived()
        goTo(served.redirectUrl)
      }
      return undefined
    },

    // The news first: a page that hears the answer knows already what it acts as now.
    tellChange({ page, accounts, answering }) {
      peer.send(page.peerId, JSON.stringify(sessionUpdate(newRpcId(), terms(accounts))))
      if (answering !== undefined) server.answer(answering.idText, answering.text)
      lived()
    },

    tellEnd({ page }) {
      peer.send(page.peerId, JSON.stringify(sessionEnd(newRpcId())))
    },

    async close() {
      world.keep()
      await peer.close()
    },
  }
}
