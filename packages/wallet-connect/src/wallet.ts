/** Entry point for wallets: join or resume a page's session, and describe its requests in words. */
export {
  type Account,
  type ActiveAccount,
  type ApprovedAccount,
  accountFromPrivateKey,
  approvedAccount,
  type SigningAccount,
} from './wallet/accounts.ts'
export type {
  Approver,
  ConnectRequest,
  Page,
  PageRequest,
  Prompt,
  SendTransactionRequest,
  SignMessageRequest,
  SwitchToGroupRequest,
  TxResponse,
} from './wallet/approver.ts'
export { describeMessage, type MessageDescription } from './wallet/describe-message.ts'
export { readableText } from './wallet/printable-text.ts'
export type { Ending, WalletState } from './wallet/wallet-session.flow.ts'
export {
  joinSession,
  resumeSession,
  type WalletOptions,
  type WalletSession,
} from './wallet/wallet-session.ts'
