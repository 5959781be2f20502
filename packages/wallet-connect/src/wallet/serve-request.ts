/**
 * Serves the requests of a page: passes each to the approver and creates the response. Each id is served once even if the
 * request is repeated; the user is prompted for one request at a time; withdrawn requests are not prompted.
 */
import { hexOf } from '@portico/keys/bytes'
import { isTransactionToSign } from '@portico/keys/transaction-bytes'
import { tokenToSign } from '../description/describe-bytes.ts'
import { RPC_ERRORS, type RpcError, WalletError } from '../protocol/errors.ts'
import { type ReceivedRequest, rpcError, rpcRequestText, rpcSuccess } from '../protocol/json-rpc.ts'
import { parseWalletRequest, type WalletRequest } from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { ActiveAccount, ApprovedAccount } from './accounts.ts'
import type { Approver, Page, Prompt } from './approver.ts'
import { type PromptQueue, promptQueue } from './prompt-queue.ts'
import { entryFields, type RequestLedger } from './request-ledger.ts'

/** The dependencies of a request server. */
export interface RequestServerDeps {
  readonly approver: Approver
  readonly connectOptions: ConnectOptions
  readonly tokenLifetimeS: number
  readonly ledger: RequestLedger
  readonly queue?: PromptQueue | undefined
  /** The error for a page with too many pending requests. */
  readonly tooMany: RpcError
  readonly now: () => number
  /** The active account of the session; undefined after the session has ended. */
  readonly acting: () => ActiveAccount | undefined
  /** Sends a response to the page. */
  readonly send: (page: Page, text: string) => void
  /** Sends a response that reaches the page even if this process is stopped after the ledger was stored. */
  readonly post: (page: Page, text: string) => void
  /** Stores the ledger; rejects if that fails. */
  readonly store: () => Promise<void>
  /** Called with the ids of the unanswered requests when a request has arrived or was answered. */
  readonly onUnanswered: (idTexts: readonly string[]) => void
  readonly report: (error: unknown) => void
}

/** The outcome of a request. */
type ServeResult =
  | { readonly kind: 'answered'; readonly redirectUrl: string | undefined }
  /** The user approved the switch; the response is sent together with the session update. */
  | { readonly kind: 'switched'; readonly account: ApprovedAccount; readonly response: string }
  /** Nothing left to do: the request is a repetition, was withdrawn, or the page has disconnected. */
  | { readonly kind: 'settled' }

/** Serves the requests of one session. */
export interface RequestServer {
  readonly serve: (request: ReceivedRequest, page: Page, left: AbortSignal) => Promise<ServeResult>
  /** Records a response and sends it. */
  readonly respond: (
    page: Page,
    response: { readonly idText: string; readonly text: string },
  ) => void
}

type ValidRequest = Exclude<WalletRequest, { readonly error: RpcError }>

/**
 * A browser that stops a worker fails the worker's calls first. Such a failure is neither answered nor is its message acknowledged,
 * because the next worker serves the request again, and a page must not get two answers.
 */
export const FAILURE_DELAY_MS = 1000

const SETTLED = { kind: 'settled' } as const

export function requestServer(deps: RequestServerDeps): RequestServer {
  const { approver, connectOptions, tokenLifetimeS, ledger, send, report } = deps
  const queue = deps.queue ?? promptQueue()

  const respond: RequestServer['respond'] = (page, { idText, text }) => {
    ledger.answered(idText, text)
    deps.onUnanswered(ledger.pending())
    deps.post(page, text)
  }

  const serve: RequestServer['serve'] = async (request, page, left) => {
    const { idText } = request
    const parsed = parseWalletRequest(request)
    const text = rpcRequestText(request)
    const entry = ledger.enter({ idText, ...entryFields(parsed), text, arrivedAt: deps.now() })
    if (entry.kind === 'answered') send(page, entry.answer)
    if (entry.kind === 'too-many') send(page, rpcError(request, deps.tooMany))
    if (entry.kind === 'too-large') send(page, rpcError(request, RPC_ERRORS.requestTooLarge))
    if (entry.kind !== 'new') return SETTLED
    deps.onUnanswered(ledger.pending())
    const signal = AbortSignal.any([left, entry.withdrawn])
    const stored = deps.store()
    // Requests that are answered without a prompt do not wait for it.
    stored.catch(() => undefined)
    const { arrivedAt, isResumed } = entry
    const parameters = { request, parsed, page, signal, arrivedAt, isResumed, stored }
    const outcome = await carryOut(parameters).catch(async (error: unknown) => {
      if (error instanceof WalletError) return rpcError(request, rejectionOf(error, parsed))
      if (!signal.aborted) report(error)
      await new Promise((resolve) => setTimeout(resolve, FAILURE_DELAY_MS))
      return rpcError(request, RPC_ERRORS.internalError)
    })
    // Withdrawn requests were already answered, and a page that has disconnected gets no response.
    if (signal.aborted) return SETTLED
    if (typeof outcome !== 'string') {
      const address = outcome.group?.address ?? outcome.account.address
      return { kind: 'switched', account: outcome, response: rpcSuccess(request, { address }) }
    }
    respond(page, { idText, text: outcome })
    return {
      kind: 'answered',
      redirectUrl: 'redirectUrl' in parsed ? parsed.redirectUrl : undefined,
    }
  }

  /** Returns the response, or the account to switch to. */
  async function carryOut({
    request,
    parsed,
    page,
    signal,
    arrivedAt,
    isResumed,
    stored,
  }: {
    readonly request: ReceivedRequest
    readonly parsed: WalletRequest
    readonly page: Page
    readonly signal: AbortSignal
    readonly arrivedAt: number
    readonly isResumed: boolean
    readonly stored: Promise<void>
  }): Promise<string | ApprovedAccount> {
    if ('error' in parsed) return rpcError(request, parsed.error)
    if (parsed.kind === 'walletAction' && parsed.action === 'removePendingMethod') {
      return withdraw(request, parsed.pendingId, page)
    }
    const { idText } = request
    const prompt: Prompt = {
      requestId: idText,
      isNew: !isResumed,
      signal,
      commit() {
        signal.throwIfAborted()
        ledger.decided(idText)
      },
      release: () => ledger.undecided(idText),
      stored: deps.store,
    }
    const ask = async () => {
      await stored
      // The active account may have changed while this request waited for the previous prompt.
      const acting = deps.acting()
      if (acting === undefined || signal.aborted) {
        return rpcError(request, RPC_ERRORS.requestWithdrawn)
      }
      if (!matchesAccount(parsed, acting)) return rpcError(request, RPC_ERRORS.invalidParams)
      switch (parsed.kind) {
        case 'sign': {
          const { bytes } = parsed
          if (isTransactionToSign(bytes)) return rpcError(request, RPC_ERRORS.invalidParams)
          const token = tokenToSign(bytes)
          const signature = await approver.sign({ page, acting, request: parsed, token }, prompt)
          return rpcSuccess(request, hexOf(signature))
        }
        case 'sendTransaction': {
          const txResponse = await approver.sendTransaction(
            { page, acting, request: parsed },
            prompt,
          )
          return rpcSuccess(request, { txResponse })
        }
        case 'walletAction': {
          const { groupAddress } = parsed
          if (groupAddress !== undefined && connectOptions.prohibitGroups) {
            return rpcError(request, RPC_ERRORS.groupsProhibited)
          }
          const approved = await approver.switchToGroup(
            { page, acting, request: parsed, tokenLifetimeS },
            prompt,
          )
          // Never switch to an account or group other than the requested one.
          const isRequested =
            approved.group?.address === groupAddress &&
            approved.account.address === acting.account.address
          return isRequested ? approved : rpcError(request, RPC_ERRORS.requestRejected)
        }
      }
    }
    return queue.run({ requestId: idText, arrivedAt }, ask, signal)
  }

  function withdraw(request: ReceivedRequest, customId: string, page: Page): string {
    const withdrawal = ledger.withdraw(customId)
    if (withdrawal.kind === 'decided') return rpcError(request, RPC_ERRORS.alreadyDecided)
    // If no such request is pending, withdrawing succeeds, as in other wallets.
    if (withdrawal.kind === 'withdrawn') {
      const { idText } = withdrawal
      respond(page, { idText, text: rpcError(withdrawal, RPC_ERRORS.requestWithdrawn) })
    }
    return rpcSuccess(request, { customId })
  }

  return { serve, respond }
}

/** Whether a request is for the active account or its group; old pages may omit the address. */
function matchesAccount({ address }: ValidRequest, { account, group }: ActiveAccount): boolean {
  return ['', account.address, group?.address].includes(address)
}

/** The error for the page: that the user declined, or the wallet's own message, for example of an unreachable chain. */
function rejectionOf({ code, message }: WalletError, request: WalletRequest): RpcError {
  if (code !== 'rejected') return { code: RPC_ERRORS.requestRejected.code, message }
  return 'kind' in request && request.kind !== 'walletAction'
    ? RPC_ERRORS.signRejected
    : RPC_ERRORS.requestRejected
}
