import type { RpcRequest } from '../protocol/json-rpc.ts'
import type { ConnectionType } from './connection-text.ts'
import type { WINDOW_MESSAGES } from './window-messages.ts'

/** What an operation came to. It is given to the caller and broadcast; it never takes the form of an exception. */
export interface OperationResult<Result = unknown> {
  /** Whether the wallet did it and, where it signed, the signature is the connected account's. */
  readonly valid: boolean
  readonly result?: Result
  readonly error?: string
  /** What was sent, or would have been. */
  readonly request: RpcRequest
}

/** A transaction's outcome as wallets tell it. */
export interface SendMessageMethodResult {
  readonly txResponse?: {
    readonly code?: number
    readonly rawLog?: string
    readonly txhash?: string
    readonly [field: string]: unknown
  }
}
/** A signed token. */
export interface SignJWTMethodResult {
  /** Hexadecimal. */
  readonly signature: string
  readonly signedJWT: string
  /** Epoch seconds. */
  readonly expires: number
}
/** A signed message. */
export interface SignHexMessageMethodResult {
  /** Hexadecimal. */
  readonly signature: string
}
/** From when until when a connection holds (epoch milliseconds), and whether it is new. */
export interface ConnectMethodResult {
  readonly connectionEST: number
  readonly connectionEXP: number
  readonly connectionType: ConnectionType
}
/** The account that connected instead of the required one. */
export interface OtherAccount {
  readonly address: string
  readonly group?: string
}
/** Why a connection ended. */
export interface DisconnectMethodResult {
  readonly message?: string
  /** Set when the connection was refused because another account than the required one connected. */
  readonly mismatch?: OtherAccount
}

/** What `sendMessage` comes to. */
export type SendMessageMethodEventData = OperationResult<SendMessageMethodResult>
/** What `signJWT` comes to. */
export type SignJWTMethodEventData = OperationResult<SignJWTMethodResult>
/** What `signHexMessage` comes to. */
export type SignHexMessageMethodEventData = OperationResult<SignHexMessageMethodResult>
/** What `switchToGroup` comes to; the result is whatever the wallet says. */
export type SwitchToGroupMethodEventData = OperationResult
/** What `removePendingMethod` comes to; the result is whatever the wallet says. */
export type RemovePendingMethodEventData = OperationResult
/** What a page hears when it is connected. */
export interface ConnectMethodEventData {
  readonly result: ConnectMethodResult
}
/** What a page hears when it is disconnected. */
export interface DisconnectMethodEventData {
  readonly result: DisconnectMethodResult
}

type Messages = typeof WINDOW_MESSAGES

/** The data of every event. */
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
