import type { JwtClaims } from '@portico/keys/jwt'
import type { PeerMeta, SessionRequest } from '../protocol/handshake.ts'
import type { ActionRequest, SignRequest, TransactionRequest } from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Account, ActiveAccount, ApprovedAccount } from './accounts.ts'

/** The page that sends requests; its metadata is self-declared. */
export interface Page {
  readonly peerId: string
  readonly peerMeta: PeerMeta
}

/** A page's request to connect. */
export interface ConnectRequest {
  readonly page: Page
  readonly request: SessionRequest
  readonly connectOptions: ConnectOptions
  /** The accounts to choose from: all, or the one that the page requires. */
  readonly accounts: readonly Account[]
  /** The lifetime of the session token that the page wants. */
  readonly tokenLifetimeS: number
}

/** A request of a connected page. */
export interface PageRequest<Request> {
  readonly page: Page
  readonly acting: ActiveAccount
  readonly request: Request
}

/** A request to sign bytes; `token` is set if the signature would complete a token. */
export interface SignMessageRequest extends PageRequest<SignRequest> {
  readonly token: Partial<JwtClaims> | undefined
}

/** A request to sign a transaction and broadcast it. */
export type SendTransactionRequest = PageRequest<TransactionRequest>

/** A request to act for a group, or for the individual again if `groupAddress` is absent. */
export interface SwitchToGroupRequest
  extends PageRequest<Extract<ActionRequest, { action: 'switchToGroup' }>> {
  readonly tokenLifetimeS: number
}

/** The state of the request that the user decides. */
export interface Prompt {
  /** The id of the page's request as the page wrote it; the same if the request is served again after a restart. */
  readonly requestId: string
  /** Whether this process received the request, so that no earlier one can have carried it out. */
  readonly isNew?: boolean
  /** Aborts when the page has withdrawn the request or disconnected; the result is then ignored. */
  readonly signal: AbortSignal
  /**
   * Call it after the user's approval and before signing or sending. From then on the page cannot withdraw the request.
   * Throws if the page has already withdrawn it.
   */
  readonly commit: () => void
  /**
   * Reverses `commit`. Call it if the attempt failed and nothing was signed or sent, but the user may try again: until the
   * next `commit` the page can withdraw the request.
   */
  readonly release: () => void
  /** Settles when the session is stored, with what was committed or released before. Rejects if that fails. */
  readonly stored: () => Promise<void>
}

/** The outcome of a transaction (protocol 9.3). A code other than 0 is a failure described by `rawLog`. */
export interface TxResponse {
  readonly txhash: string
  readonly code: number
  readonly rawLog: string
  readonly [field: string]: unknown
}

/**
 * Prompts the user for a page's request and carries it out, one request at a time. The keys may be in this process, in
 * a worker, or on a server.
 *
 * Every function throws a WalletError `rejected` if the user declines. The page receives the message of any other
 * WalletError, for example that the chain is unreachable.
 */
export interface Approver {
  readonly connect: (request: ConnectRequest, prompt: Prompt) => Promise<ApprovedAccount>
  /** Returns the signature, 64 bytes. */
  readonly sign: (request: SignMessageRequest, prompt: Prompt) => Promise<Uint8Array>
  readonly sendTransaction: (request: SendTransactionRequest, prompt: Prompt) => Promise<TxResponse>
  readonly switchToGroup: (
    request: SwitchToGroupRequest,
    prompt: Prompt,
  ) => Promise<ApprovedAccount>
  /** Takes the user back to the page after a response, if the page sent a redirect URL. */
  readonly goTo?: ((url: string) => void) | undefined
}
