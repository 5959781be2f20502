/**
 * Serves the requests of a page: prompts the user, then signs, broadcasts or switches groups, and creates the response. Each id is
 * served once even if the request is repeated; the user is prompted for one request at a time; withdrawn requests are not prompted.
 */
import { hexOf } from '@portico/keys/bytes'
import { isTransactionToSign } from '@portico/keys/transaction-bytes'
import { RPC_ERRORS, type RpcError, WalletError } from '../protocol/errors.ts'
import { type ReceivedRequest, rpcError, rpcSuccess } from '../protocol/json-rpc.ts'
import {
  type ActionRequest,
  parseWalletRequest,
  type SignRequest,
  type TransactionRequest,
  type WalletRequest,
} from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { ActiveAccount } from './active-account.ts'
import type { Approver, Broadcast, Page } from './approver.ts'
import { tokenToSign } from './printable-text.ts'
import { requestLedger } from './request-ledger.ts'

/** The dependencies of a request server. */
export interface RequestServerDeps {
  readonly approver: Approver
  readonly broadcast: Broadcast
  readonly wishes: ConnectOptions
  /** The active account of the session; undefined after the session has ended. */
  readonly acting: () => ActiveAccount | undefined
  /** The accounts of an update, with a new token. */
  readonly accountsOf: (acting: ActiveAccount) => Promise<readonly unknown[]>
  /** Sends a response to the page. */
  readonly send: (text: string) => void
  /** Called when a request has arrived or was answered. */
  readonly changed: () => void
  readonly report: (error: unknown) => void
}

/** The outcome of a request. */
type ServeResult =
  | { readonly kind: 'answered'; readonly redirectUrl: string | undefined }
  /** The user approved the switch; the response is sent together with the session update. */
  | ({ readonly kind: 'switched'; readonly answer: string } & AccountSwitch)
  /** Nothing left to do: the request is a repetition, was withdrawn, or the page has disconnected. */
  | { readonly kind: 'settled' }

/** Serves the requests of one session. */
export interface RequestServer {
  readonly serve: (request: ReceivedRequest, page: Page, left: AbortSignal) => Promise<ServeResult>
  /** Records a response and sends it. */
  readonly answer: (idText: string, text: string) => void
  /** The ids of the requests that are not answered yet. */
  readonly unanswered: () => readonly string[]
}

type ValidRequest = Exclude<WalletRequest, { readonly error: RpcError }>
type SwitchToGroupRequest = Extract<ActionRequest, { readonly action: 'switchToGroup' }>
type Decision = { readonly answer: string; readonly switched?: AccountSwitch }

/** The new active account, and the accounts of the session update. */
type AccountSwitch = { readonly acting: ActiveAccount; readonly accounts: readonly unknown[] }

const SETTLED = { kind: 'settled' } as const

export function requestServer({
  approver,
  broadcast,
  wishes,
  acting: now,
  accountsOf,
  send,
  changed,
  report,
}: RequestServerDeps): RequestServer {
  const ledger = requestLedger()
  let previousPrompt: Promise<unknown> = Promise.resolve()

  /** Runs one prompt at a time. A withdrawn prompt does not block the next one, even if it never settles. */
  function queued<Value>(ask: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    const current = previousPrompt.then(ask)
    previousPrompt = Promise.race([current.catch(() => undefined), aborted(signal)])
    return current
  }

  function answer(idText: string, text: string): void {
    ledger.answered(idText, text)
    changed()
    send(text)
  }

  async function serve(
    request: ReceivedRequest,
    page: Page,
    left: AbortSignal,
  ): Promise<ServeResult> {
    const parsed = parseWalletRequest(request)
    const entry = ledger.enter(request.idText, 'customId' in parsed ? parsed.customId : undefined)
    if (entry.kind === 'answered') send(entry.answer)
    if (entry.kind === 'too-many') send(rpcError(request, RPC_ERRORS.requestRejected))
    if (entry.kind !== 'new') return SETTLED
    changed()
    const signal = AbortSignal.any([left, entry.withdrawn])
    const decision = await decide(request, parsed, page, signal).catch((error: unknown) => {
      if (error instanceof WalletError) return refused(request, errorOf(error))
      if (!signal.aborted) report(error)
      return refused(request, RPC_ERRORS.internalError)
    })
    // Withdrawn requests were already answered, and a page that has disconnected gets no response.
    if (signal.aborted) return SETTLED
    const redirectUrl = 'redirectUrl' in parsed ? parsed.redirectUrl : undefined
    if (decision.switched !== undefined) {
      return { kind: 'switched', answer: decision.answer, ...decision.switched }
    }
    answer(request.idText, decision.answer)
    return { kind: 'answered', redirectUrl }
  }

  async function decide(
    request: ReceivedRequest,
    parsed: WalletRequest,
    page: Page,
    signal: AbortSignal,
  ): Promise<Decision> {
    if ('error' in parsed) return refused(request, parsed.error)
    if (parsed.kind === 'walletAction' && parsed.action === 'removePendingMethod') {
      return withdraw(request, parsed.pendingId)
    }
    return queued(async () => {
      // Whom the session acts as may have changed while this request waited for its previousPrompt.
      const acting = now()
      if (acting === undefined || signal.aborted) {
        return refused(request, RPC_ERRORS.requestWithdrawn)
      }
      if (!matchesAccount(parsed, acting)) return refused(request, RPC_ERRORS.invalidParams)
      if (parsed.kind === 'sign') return sign(request, parsed, { page, acting }, signal)
      if (parsed.kind === 'sendTransaction') {
        return transact(request, parsed, { page, acting }, signal)
      }
      return switchGroup(request, parsed, { page, acting }, signal)
    }, signal)
  }

  async function sign(
    request: ReceivedRequest,
    parsed: SignRequest,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<Decision> {
    if (isTransactionToSign(parsed.bytes)) return refused(request, RPC_ERRORS.invalidParams)
    const agreed = await approver.sign(
      { ...requester, request: parsed, token: tokenToSign(parsed.bytes) },
      signal,
    )
    if (!agreed || signal.aborted) return refused(request, RPC_ERRORS.signRejected)
    ledger.decided(request.idText)
    return { answer: rpcSuccess(request, hexOf(await requester.acting.account.sign(parsed.bytes))) }
  }

  async function transact(
    request: ReceivedRequest,
    parsed: TransactionRequest,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<Decision> {
    const agreed = await approver.sendTransaction({ ...requester, request: parsed }, signal)
    if (!agreed || signal.aborted) return refused(request, RPC_ERRORS.signRejected)
    ledger.decided(request.idText)
    const txResponse = await broadcast({ acting: requester.acting, request: parsed })
    return { answer: rpcSuccess(request, { txResponse }) }
  }

  async function switchGroup(
    request: ReceivedRequest,
    parsed: SwitchToGroupRequest,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { groupAddress } = parsed
    if (groupAddress !== undefined && wishes.prohibitGroups) {
      return refused(request, RPC_ERRORS.groupsProhibited)
    }
    const group = await approver.switchToGroup({ ...requester, request: parsed }, signal)
    // Never switch to a group other than the requested one.
    if (group === undefined || group?.address !== groupAddress || signal.aborted) {
      return refused(request, RPC_ERRORS.requestRejected)
    }
    ledger.decided(request.idText)
    const acting = { account: requester.acting.account, group }
    const address = group?.address ?? acting.account.address
    const accounts = await accountsOf(acting)
    return { answer: rpcSuccess(request, { address }), switched: { acting, accounts } }
  }

  function withdraw(request: ReceivedRequest, customId: string): Decision {
    const withdrawal = ledger.withdraw(customId)
    if (withdrawal.kind === 'decided') return refused(request, RPC_ERRORS.alreadyDecided)
    // If no such request is pending, withdrawing succeeds, as in other wallets.
    if (withdrawal.kind === 'withdrawn') {
      answer(withdrawal.idText, rpcError(withdrawal, RPC_ERRORS.requestWithdrawn))
    }
    return { answer: rpcSuccess(request, { customId }) }
  }

  return { serve, answer, unanswered: ledger.pending }
}

type Requester = { readonly page: Page; readonly acting: ActiveAccount }

/** Whether a request is for the active account or its group; old pages may omit the address. */
function matchesAccount({ address }: ValidRequest, { account, group }: ActiveAccount): boolean {
  return ['', account.address, group?.address].includes(address)
}

/** Errors of the wallet itself, such as an unreachable chain, are passed to the page with their message. */
function errorOf({ message }: WalletError): RpcError {
  return { code: RPC_ERRORS.requestRejected.code, message }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve())
  return promise
}

function refused(request: ReceivedRequest, error: RpcError): Decision {
  return { answer: rpcError(request, error) }
}
