/** Protocol entry point: the messages that pages, wallets and observers of a connection read and write. */
export {
  type GroupPolicy,
  parseAccounts,
  type WalletAccount,
  type WalletAttribute,
  type WalletInfo,
} from './protocol/account.ts'
export {
  type AnyMessage,
  anyBase64,
  anyParameter,
  readAny,
  readAnyBase64,
  readAnyParameter,
} from './protocol/any-message.ts'
export { type EnvelopeKey, envelopeKey, open, seal } from './protocol/envelope.ts'
export {
  isDeclined,
  isKnownText,
  RPC_ERRORS,
  type RpcError,
  WalletError,
  type WalletErrorCode,
} from './protocol/errors.ts'
export { redirectUrlIn } from './protocol/fields.ts'
export { type Frame, type FrameType, formatFrame, parseFrame } from './protocol/frame.ts'
export {
  type Approval,
  approvalResult,
  type HandshakeOutcome,
  type PeerMeta,
  parseHandshakeResponse,
  parseSessionRequest,
  parseSessionUpdate,
  SESSION_REQUEST,
  SESSION_UPDATE,
  type SessionRequest,
  type SessionTerms,
  type SessionUpdate,
  sessionEnd,
  sessionRequest,
  sessionUpdate,
} from './protocol/handshake.ts'
export {
  newRpcId,
  parseRpc,
  type ReceivedRequest,
  type ReceivedResponse,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  rpcError,
  rpcSuccess,
} from './protocol/json-rpc.ts'
export {
  type ActionRequest,
  type GasPrice,
  parseWalletRequest,
  SEND_TRANSACTION,
  SIGN,
  type SignRequest,
  sendTransactionRequest,
  signRequest,
  type TransactionRequest,
  type TransactionTerms,
  WALLET_ACTION,
  type WalletAction,
  type WalletRequest,
  walletActionRequest,
} from './protocol/methods.ts'
export { clickableLink, dynamicLink, MOBILE_APPS, type MobileApp } from './protocol/mobile-link.ts'
export {
  type ConnectionUri,
  type ConnectOptions,
  formatUri,
  parseUri,
  unwrapUri,
} from './protocol/uri.ts'
