import { PorticoError } from '@portico/contracts/errors'

/** The reason a wallet operation failed. */
export type WalletErrorCode =
  | 'account-mismatch'
  | 'closed'
  | 'not-connected'
  /** It is unknown whether a transaction was sent. */
  | 'outcome-unknown'
  | 'refused'
  /** The user declined. */
  | 'rejected'
  | 'stored-session-invalid'
  | 'timed-out'
  | 'uri-invalid'

/** A wallet operation failed: the peer refused it, or it is not possible in the current state. */
export class WalletError extends PorticoError<WalletErrorCode> {}

/** A JSON-RPC error object. */
export interface RpcError {
  readonly code: number
  readonly message: string
}

/** The errors a wallet responds with (protocol 5, 9.5). Pages match on the message, so it must not change. */
export const RPC_ERRORS = {
  parseError: { code: -32700, message: 'Parse error' },
  methodNotFound: { code: -32601, message: 'Method not found' },
  invalidParams: { code: -32602, message: 'Invalid params' },
  internalError: { code: -32603, message: 'Internal error' },
  accountUnavailable: { code: -32000, message: 'Requested account is not available' },
  groupUnavailable: { code: -32000, message: 'Requested group is not available' },
  groupsProhibited: { code: -32000, message: 'Groups are prohibited' },
  connectionRejected: { code: -32000, message: 'Connection rejected by user' },
  signRejected: { code: -32000, message: 'Sign request rejected by user' },
  requestRejected: { code: -32000, message: 'Request rejected' },
  alreadyDecided: { code: -32000, message: 'The request is already being carried out' },
  requestWithdrawn: { code: -32000, message: 'Request withdrawn' },
  tooManyRequests: { code: -32000, message: 'Too many requests are waiting for the user' },
  requestTooLarge: { code: -32000, message: 'The request is too large for this wallet' },
  requestUnanswered: { code: -32000, message: 'The wallet was closed before it answered' },
} as const satisfies Record<string, RpcError>

const DECLINED: readonly string[] = [
  RPC_ERRORS.connectionRejected.message,
  RPC_ERRORS.signRejected.message,
  RPC_ERRORS.requestRejected.message,
  RPC_ERRORS.requestWithdrawn.message,
  // The two forms of a declined handshake (protocol 6).
  'Session Rejected',
  'Session update rejected',
]

/** The texts of our page library and wallets. Any other text is the peer's own. */
const KNOWN_TEXTS: ReadonlySet<string> = new Set([
  ...Object.values(RPC_ERRORS).map(({ message }) => message),
  ...DECLINED,
  'Connection Expired',
  'It is unknown whether the transaction was sent. Check the account before you send it again.',
  'Message parameter is not a hex value.',
  'No wallet connected',
  'Request timed out',
  'Session Disconnected',
  'Session currently disconnected',
  'Session disconnected',
  'The answer could not be understood',
  'The connection could not be prepared',
  'The connection dialog was closed',
  'The connection was closed before the other side answered.',
  'The connection was not ready within 3 seconds',
  'The page was closed.',
  'The user declined the request.',
  'The wallet connected with another account than the required one',
  'The wallet did not carry out the request',
  'The wallet does not act for the required group',
  'This page accepts no wallet that acts for a group',
  'Your wallet was opened in another tab. Try again to continue here.',
  'jwt is missing addr claim',
])

const TOKEN_REFUSED = /^The wallet's token was refused \([a-z-]+\)$/

/** Whether an error's message is one of the protocol or of our library. */
export const isKnownText = (message: string): boolean =>
  KNOWN_TEXTS.has(message) || TOKEN_REFUSED.test(message)

/** Whether a wallet's error means that the user declined. Peers only pass on the message (protocol 5). */
export function isDeclined(message: string): boolean {
  return DECLINED.includes(message.replace(/^Error: /, ''))
}
