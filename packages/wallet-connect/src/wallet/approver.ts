/** The parts of a wallet application: the approver, who decides about requests, and the access to the chain. */

import type { JwtClaims } from '@portico/keys/jwt'
import type { GroupPolicy } from '../protocol/account.ts'
import type { PeerMeta, SessionRequest } from '../protocol/handshake.ts'
import type { ActionRequest, SignRequest, TransactionRequest } from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { ActiveAccount, SigningAccount } from './active-account.ts'

/** The page that sends requests; its metadata is self-declared. */
export interface Page {
  readonly peerId: string
  readonly peerMeta: PeerMeta
}

/** A page's request to connect. */
export interface ConnectRequest {
  readonly page: Page
  readonly request: SessionRequest
  readonly wishes: ConnectOptions
  /** The accounts to choose from: all, or the one that the page requires. */
  readonly accounts: readonly SigningAccount[]
}

/** A request of a connected page. */
export interface PageRequest<Request> {
  readonly page: Page
  readonly acting: ActiveAccount
  readonly request: Request
}

/** A request for a signature; `token` is set if the signature would complete a token. */
export interface SignApproval extends PageRequest<SignRequest> {
  readonly token: Partial<JwtClaims> | undefined
}

/** A request to act for a group, or for the individual again if `groupAddress` is absent. */
export type SwitchGroupApproval = PageRequest<Extract<ActionRequest, { action: 'switchToGroup' }>>

/**
 * The user's decisions. Every request comes with a signal: when it aborts, the page has withdrawn the request or
 * disconnected, and the result is ignored. Requests come one at a time.
 */
export interface Approver {
  /** Returns the account to connect with; undefined declines. */
  readonly connect: (
    request: ConnectRequest,
    signal: AbortSignal,
  ) => Promise<ActiveAccount | undefined>
  readonly sign: (request: SignApproval, signal: AbortSignal) => Promise<boolean>
  readonly sendTransaction: (
    request: PageRequest<TransactionRequest>,
    signal: AbortSignal,
  ) => Promise<boolean>
  /** Returns the requested group, or null to act as the individual; undefined declines. */
  readonly switchToGroup: (
    request: SwitchGroupApproval,
    signal: AbortSignal,
  ) => Promise<GroupPolicy | null | undefined>
  /** Takes the user back to the page after a response, if the page sent a redirect URL. */
  readonly goTo?: ((url: string) => void) | undefined
}

/** The outcome of a transaction (protocol 9.3). A code other than 0 is a failure described by `rawLog`. */
export interface TxResponse {
  readonly txhash: string
  readonly code: number
  readonly rawLog: string
  readonly [field: string]: unknown
}

/** Signs a transaction and broadcasts it. Called only after the user has approved it. */
export type Broadcast = (transaction: {
  readonly acting: ActiveAccount
  readonly request: TransactionRequest
}) => Promise<TxResponse>
