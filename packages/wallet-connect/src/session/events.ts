import type { RpcRequest } from '../protocol/json-rpc.ts'

/** The events of a session (§4.1). They are emitted by the service, never by `window`. */
export const WINDOW_MESSAGES = {
  CONNECTED: 'FWC_CONNECTED',
  DISCONNECT: 'FWC_DISCONNECT',
  SESSION_UPDATED: 'FWC_SESSION_UPDATED',
  SEND_MESSAGE_COMPLETE: 'SEND_MESSAGE_COMPLETE',
  SEND_MESSAGE_FAILED: 'SEND_MESSAGE_FAILED',
  SWITCH_TO_GROUP_COMPLETE: 'SWITCH_TO_GROUP_COMPLETE',
  SWITCH_TO_GROUP_FAILED: 'SWITCH_TO_GROUP_FAILED',
  SIGN_JWT_COMPLETE: 'SIGN_JWT_COMPLETE',
  SIGN_JWT_FAILED: 'SIGN_JWT_FAILED',
  SIGN_HEX_MESSAGE_COMPLETE: 'SIGN_HEX_MESSAGE_COMPLETE',
  SIGN_HEX_MESSAGE_FAILED: 'SIGN_HEX_MESSAGE_FAILED',
  REMOVE_PENDING_METHOD_COMPLETE: 'REMOVE_PENDING_METHOD_COMPLETE',
  REMOVE_PENDING_METHOD_FAILED: 'REMOVE_PENDING_METHOD_FAILED',
} as const

export type BroadcastEventName = (typeof WINDOW_MESSAGES)[keyof typeof WINDOW_MESSAGES]

/** Events for a wallet that runs next to the page (protocol 13). */
export const WALLET_APP_EVENTS = {
  CONNECT: 'walletconnect_connect',
  SESSION_UPDATE: 'walletconnect_session_update',
  RESET_TIMEOUT: 'resetConnectionTimeout',
  DISCONNECT: 'walletconnect_disconnect',
  EVENT: 'walletconnect_event',
  INIT: 'walletconnect_init',
} as const

export type WalletAppEvent = (typeof WALLET_APP_EVENTS)[keyof typeof WALLET_APP_EVENTS]

/** Names of connection events, for pages that match on them. */
export const CONNECTOR_EVENTS = {
  connect: 'connect',
  disconnect: 'disconnect',
  session_request: 'session_request',
  session_update: 'session_update',
  call_request: 'call_request',
  wc_sessionRequest: 'wc_sessionRequest',
  wc_sessionUpdate: 'wc_sessionUpdate',
} as const

/** The disconnect reason of an expired session (§4.1). */
export const CONNECTION_EXPIRED = 'Connection Expired'

/** The connection types of `FWC_CONNECTED` and `FWC_SESSION_UPDATED`. */
export const CONNECTION_TYPES = {
  existing_session: 'existing session',
  new_session: 'new session',
} as const

/** Whether a connection is new or restored. */
export type ConnectionType = (typeof CONNECTION_TYPES)[keyof typeof CONNECTION_TYPES]

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

/** The data of each event. */
export interface BroadcastEventData {
  readonly FWC_CONNECTED: ConnectMethodEventData
  readonly FWC_DISCONNECT: DisconnectMethodEventData
  readonly FWC_SESSION_UPDATED: ConnectMethodEventData
  readonly SEND_MESSAGE_COMPLETE: SendMessageMethodEventData
  readonly SEND_MESSAGE_FAILED: SendMessageMethodEventData
  readonly SWITCH_TO_GROUP_COMPLETE: SwitchToGroupMethodEventData
  readonly SWITCH_TO_GROUP_FAILED: SwitchToGroupMethodEventData
  readonly SIGN_JWT_COMPLETE: SignJWTMethodEventData
  readonly SIGN_JWT_FAILED: SignJWTMethodEventData
  readonly SIGN_HEX_MESSAGE_COMPLETE: SignHexMessageMethodEventData
  readonly SIGN_HEX_MESSAGE_FAILED: SignHexMessageMethodEventData
  readonly REMOVE_PENDING_METHOD_COMPLETE: RemovePendingMethodEventData
  readonly REMOVE_PENDING_METHOD_FAILED: RemovePendingMethodEventData
}
