/** The door of the wallet's side: join a page's session, or resume one, and show what is asked in words. */
export { type Acting, type HeldAccount, heldAccount } from './wallet/acting.ts'
export type {
  Broadcast,
  ConnectRequest,
  Page,
  Person,
  Question,
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
