import type { RpcRequest } from '../protocol/json-rpc.ts'
import type { ConnectionType } from './connection-text.ts'
import type { WINDOW_MESSAGES } from './window-messages.ts'

/** The outcome of an operation, both returned to the caller and broadcast. Operations never throw. */
export interface OperationResult<Result = unknown> {
  /** Whether the wallet carried it out and any signature is the connected account's. */
  readonly valid: boolean
  readonly result?: Result
  readonly error?: string
  /** The request that was sent, or would have been. */
  readonly request: RpcRequest
}

/** The outcome of a transaction as wallets report it. */
export interface SendMessageMethodResult {
  readonly txResponse?: {
    readonly code?: number
    readonly rawLog?: string
    readonly txhash?: string
    readonly [field: string]: unknown
  }
}
export interface SignJWTMethodResult {
  /** Hexadecimal. */
  readonly signature: string
  readonly signedJWT: string
  /** Epoch seconds. */
  readonly expires: number
}
export interface SignHexMessageMethodResult {
  /** Hexadecimal. */
  readonly signature: string
}
/** When a connection was established and when it expires (epoch milliseconds), and whether it is new. */
export interface ConnectMethodResult {
  readonly connectionEST: number
  readonly connectionEXP: number
  readonly connectionType: ConnectionType
}
/** The account that connected in place of the required one. */
export interface OtherAccount {
  readonly address: string
  readonly group?: string
}
/** Why a connection ended. */
export interface DisconnectMethodResult {
  readonly message?: string
  /** Set if the connection was refused because a different account than the required one connected. */
  readonly mismatch?: OtherAccount
}

/** The outcome of `sendMessage`. */
export type SendMessageMethodEventData = OperationResult<SendMessageMethodResult>
/** The outcome of `signJWT`. */
export type SignJWTMethodEventData = OperationResult<SignJWTMethodResult>
/** The outcome of `signHexMessage`. */
export type SignHexMessageMethodEventData = OperationResult<SignHexMessageMethodResult>
/** The outcome of `switchToGroup`; the result is the wallet's raw response. */
export type SwitchToGroupMethodEventData = OperationResult
/** The outcome of `removePendingMethod`; the result is the wallet's raw response. */
export type RemovePendingMethodEventData = OperationResult
/** The data of a connection event. */
export interface ConnectMethodEventData {
  readonly result: ConnectMethodResult
}
/** The data of a disconnection event. */
export interface DisconnectMethodEventData {
  readonly result: DisconnectMethodResult
}

type Messages = typeof WINDOW_MESSAGES

/** The data of each event, by event name. */
export type BroadcastEventData = {
  readonly [Name in Messages['CONNECTED' | 'SESSION_UPDATED']]: ConnectMethodEventData
} & { readonly [Name in Messages['DISCONNECT']]: DisconnectMethodEventData } & {
  readonly [Name in Messages[`SEND_MESSAGE_${Ending}`]]: SendMessageMethodEventData
} & { readonly [Name in Messages[`SIGN_JWT_${Ending}`]]: SignJWTMethodEventData } & {
  readonly [Name in Messages[`SIGN_HEX_MESSAGE_${Ending}`]]: SignHexMessageMethodEventData
} & { readonly [Name in Messages[`SWITCH_TO_GROUP_${Ending}`]]: SwitchToGroupMethodEventData } & {
  readonly [Name in Messages[`REMOVE_PENDING_METHOD_${Ending}`]]: RemovePendingMethodEventData
}

type Ending = 'COMPLETE' | 'FAILED'
