/** What a wallet application brings along: the person who decides, and the way to the chain. */

import type { JwtClaims } from '@portico/keys/jwt'
import type { GroupPolicy } from '../protocol/account.ts'
import type { PeerMeta, SessionRequest } from '../protocol/handshake.ts'
import type { ActionRequest, SignRequest, TransactionRequest } from '../protocol/methods.ts'
import type { ConnectOptions } from '../protocol/uri.ts'
import type { Acting, HeldAccount } from './acting.ts'

/** Who asks; what it says about itself is not proven. */
export interface Page {
  readonly peerId: string
  readonly peerMeta: PeerMeta
}

/** A page wants to connect. */
export interface ConnectRequest {
  readonly page: Page
  readonly asked: SessionRequest
  readonly wishes: ConnectOptions
  /** The accounts to choose from: all, or the one that the page insists on. */
  readonly accounts: readonly HeldAccount[]
}

/** A connected page wants something. */
export interface Question<Asked> {
  readonly page: Page
  readonly acting: Acting
  readonly asked: Asked
}

/** A page wants a signature, perhaps one that completes a token. */
export interface SignApproval extends Question<SignRequest> {
  readonly token: Partial<JwtClaims> | undefined
}

/** A page wants the wallet to act for another group, or for nobody but the person again (`groupAddress` absent). */
export type SwitchGroupApproval = Question<Extract<ActionRequest, { action: 'switchToGroup' }>>

/**
 * The person at the wallet. Every question comes with a signal: when it aborts, the page has withdrawn the question or
 * is gone, and whatever is answered then is no longer heard. Questions come one at a time.
 */
export interface Person {
  /** Which account to connect with; undefined refuses. */
  readonly connect: (question: ConnectRequest, signal: AbortSignal) => Promise<Acting | undefined>
  readonly sign: (question: SignApproval, signal: AbortSignal) => Promise<boolean>
  readonly sendTransaction: (
    question: Question<TransactionRequest>,
    signal: AbortSignal,
  ) => Promise<boolean>
  /** The group that was asked for, null to act as the individual; undefined refuses. */
  readonly switchToGroup: (
    question: SwitchGroupApproval,
    signal: AbortSignal,
  ) => Promise<GroupPolicy | null | undefined>
  /** Takes the person back to the page after an answer, where the page said where that is. */
  readonly goTo?: ((url: string) => void) | undefined
}

/** What became of a transaction, in the names of protocol 9.3. A code other than 0 is a failure told by `rawLog`. */
export interface TxResponse {
  readonly txhash: string
  readonly code: number
  readonly rawLog: string
  readonly [field: string]: unknown
}

/** Signs a transaction with the account and brings it to the chain. Called only after the person agreed. */
export type Broadcast = (transaction: {
  readonly acting: Acting
  readonly asked: TransactionRequest
}) => Promise<TxResponse>
