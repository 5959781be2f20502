/** Entry point for wallets: join or resume a page's session. `describe-bytes` and `describe-transaction` describe its requests. */
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
export type { PromptQueue } from './wallet/prompt-queue.ts'
export type { Ending, WalletState } from './wallet/wallet-session.flow.ts'
export {
  joinSession,
  resumeSession,
  type WalletOptions,
  type WalletSession,
} from './wallet/wallet-session.ts'
