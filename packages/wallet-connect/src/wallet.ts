/** Entry point for wallets: join or resume a page's session, and describe its requests in words. */
export {
  type ActiveAccount,
  accountFromPrivateKey,
  type SigningAccount,
} from './wallet/active-account.ts'
export type {
  Approver,
  Broadcast,
  ConnectRequest,
  Page,
  PageRequest,
  SignApproval,
  SwitchGroupApproval,
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
