/**
 * Serves one request of the page: asks the person, signs, sends or switches, and says what the answer is. Each id is
 * served once, whatever repeats it; the person is asked one thing at a time; what is withdrawn is asked no longer.
 */
import { hexOf } from '@portico/keys/bytes'
import { isTransactionToSign } from '@portico/keys/transaction-bytes'
import { RPC_ERRORS, type RpcErrorName, WalletError } from '../protocol/errors.ts'
import { type ReceivedRequest, rpcError, rpcSuccess } from '../protocol/json-rpc.ts'
import {
  type ActionRequest,
  parseWalletRequest,
  type SignRequest,
  type TransactionRequest,
  type WalletRequest,
} from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Acting } from './acting.ts'
import type { Broadcast, Page, Person } from './approver.ts'
import { tokenToSign } from './printable-text.ts'
import { requestLedger } from './request-ledger.ts'

/** What serving needs. */
export interface ServingWorld {
  readonly person: Person
  readonly broadcast: Broadcast
  readonly wishes: ConnectOptions
  /** Whom the session acts as now; nobody where it is over. */
  readonly acting: () => Acting | undefined
  /** The accounts of an update, with a fresh token. */
  readonly accountsOf: (acting: Acting) => Promise<readonly unknown[]>
  /** Sends an answer to the page. */
  readonly send: (text: string) => void
  /** Hears when a request has come, or was answered. */
  readonly changed: () => void
  readonly report: (error: unknown) => void
}

/** What came of a request. */
type Served =
  | { readonly kind: 'answered'; readonly redirectUrl: string | undefined }
  /** The person agreed to act otherwise; the page is answered together with the news. */
  | ({ readonly kind: 'switched'; readonly answer: string } & Switch)
  /** Nothing is to be done: it repeats another one, was withdrawn, or the page is gone. */
  | { readonly kind: 'settled' }

/** Serves the requests of one session. */
export interface RequestServer {
  readonly serve: (request: ReceivedRequest, page: Page, left: AbortSignal) => Promise<Served>
  /** Remembers an answer and sends it. */
  readonly answer: (idText: string, text: string) => void
  /** The ids of the requests that are not answered yet. */
  readonly unanswered: () => readonly string[]
}

type Prompted = Exclude<WalletRequest, { readonly fault: RpcErrorName }>
type SwitchAsked = Extract<ActionRequest, { readonly action: 'switchToGroup' }>
type Decision = { readonly answer: string; readonly switched?: Switch }

/** Whom the session acts as from now on, and what to tell the page of it. */
type Switch = { readonly acting: Acting; readonly accounts: readonly unknown[] }

const SETTLED = { kind: 'settled' } as const

/** Begins to serve a session. */
export function requestServer({
  person,
  broadcast,
  wishes,
  acting: now,
  accountsOf,
  send,
  changed,
  report,
}: ServingWorld): RequestServer {
  const ledger = requestLedger()
  let turn: Promise<unknown> = Promise.resolve()

  /** One question at a time; a question that was withdrawn holds nobody up, even if it is never answered. */
  function inTurn<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const mine = turn.then(ask)
    turn = Promise.race([mine.catch(() => undefined), aborted(signal)])
    return mine
  }

  function answer(idText: string, text: string): void {
    ledger.answered(idText, text)
    changed()
    send(text)
  }

  async function serve(request: ReceivedRequest, page: Page, left: AbortSignal): Promise<Served> {
    const asked = parseWalletRequest(request)
    const entry = ledger.enter(request.idText, 'customId' in asked ? asked.customId : undefined)
    if (entry.kind === 'answered') send(entry.answer)
    if (entry.kind === 'too-many') send(rpcError(request, RPC_ERRORS.requestRejected))
    if (entry.kind !== 'new') return SETTLED
    changed()
    const signal = AbortSignal.any([left, entry.withdrawn])
    const decision = await decide(request, asked, page, signal).catch((error: unknown) => {
      if (error instanceof WalletError) return refused(request, faultOf(error))
      if (!signal.aborted) report(error)
      return refused(request, RPC_ERRORS.internalError)
    })
    // A withdrawn request was answered when it was withdrawn; a page that is gone hears nothing.
    if (signal.aborted) return SETTLED
    const redirectUrl = 'redirectUrl' in asked ? asked.redirectUrl : undefined
    if (decision.switched !== undefined) {
      return { kind: 'switched', answer: decision.answer, ...decision.switched }
    }
    answer(request.idText, decision.answer)
    return { kind: 'answered', redirectUrl }
  }

  async function decide(
    request: ReceivedRequest,
    asked: WalletRequest,
    page: Page,
    signal: AbortSignal,
  ): Promise<Decision> {
    if ('fault' in asked) return refused(request, asked.fault)
    if (asked.kind === 'walletAction' && asked.action === 'removePendingMethod') {
      return withdraw(request, asked.pendingId)
    }
    return inTurn(async () => {
      // Whom the session acts as may have changed while this request waited for its turn.
      const acting = now()
      if (acting === undefined || signal.aborted) {
        return refused(request, RPC_ERRORS.requestWithdrawn)
      }
      if (!isMeant(asked, acting)) return refused(request, RPC_ERRORS.invalidParams)
      if (asked.kind === 'sign') return sign(request, asked, { page, acting }, signal)
      if (asked.kind === 'sendTransaction') {
        return transact(request, asked, { page, acting }, signal)
      }
      return switchGroup(request, asked, { page, acting }, signal)
    }, signal)
  }

  async function sign(
    request: ReceivedRequest,
    asked: SignRequest,
    who: Who,
    signal: AbortSignal,
  ): Promise<Decision> {
    if (isTransactionToSign(asked.bytes)) return refused(request, RPC_ERRORS.invalidParams)
    const agreed = await person.sign({ ...who, asked, token: tokenToSign(asked.bytes) }, signal)
    if (!agreed || signal.aborted) return refused(request, RPC_ERRORS.signRejected)
    ledger.decided(request.idText)
    return { answer: rpcSuccess(request, hexOf(await who.acting.account.sign(asked.bytes))) }
  }

  async function transact(
    request: ReceivedRequest,
    asked: TransactionRequest,
    who: Who,
    signal: AbortSignal,
  ): Promise<Decision> {
    const agreed = await person.sendTransaction({ ...who, asked }, signal)
    if (!agreed || signal.aborted) return refused(request, RPC_ERRORS.signRejected)
    ledger.decided(request.idText)
    const txResponse = await broadcast({ acting: who.acting, asked })
    return { answer: rpcSuccess(request, { txResponse }) }
  }

  async function switchGroup(
    request: ReceivedRequest,
    asked: SwitchAsked,
    who: Who,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { groupAddress } = asked
    if (groupAddress !== undefined && wishes.prohibitGroups) {
      return refused(request, RPC_ERRORS.groupsProhibited)
    }
    const group = await person.switchToGroup({ ...who, asked }, signal)
    // The page gets the group it named or none: never another one.
    if (group === undefined || group?.address !== groupAddress || signal.aborted) {
      return refused(request, RPC_ERRORS.requestRejected)
    }
    ledger.decided(request.idText)
    const acting = { account: who.acting.account, group }
    const address = group?.address ?? acting.account.address
    const accounts = await accountsOf(acting)
    return { answer: rpcSuccess(request, { address }), switched: { acting, accounts } }
  }

  function withdraw(request: ReceivedRequest, customId: string): Decision {
    const withdrawal = ledger.withdraw(customId)
    if (withdrawal.kind === 'decided') return refused(request, RPC_ERRORS.alreadyDecided)
    // Where nothing waits under that name the page has what it wants, and other wallets say yes too.
    if (withdrawal.kind === 'withdrawn') {
      answer(withdrawal.idText, rpcError(withdrawal, RPC_ERRORS.requestWithdrawn))
    }
    return { answer: rpcSuccess(request, { customId }) }
  }

  return { serve, answer, unanswered: ledger.pending }
}

type Who = { readonly page: Page; readonly acting: Acting }

/** A page asks the account it is connected to, as itself or as the group; an old one may name none. */
function isMeant({ address }: Prompted, { account, group }: Acting): boolean {
  return ['', account.address, group?.address].includes(address)
}

/** What a wallet refuses by itself, such as a chain that cannot be reached, it tells the page in its own words. */
function faultOf({ message }: WalletError): RpcErrorName {
  return { code: RPC_ERRORS.requestRejected.code, message }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve())
  return promise
}

function refused(request: ReceivedRequest, fault: RpcErrorName): Decision {
  return { answer: rpcError(request, fault) }
}
