import type { ApprovalPrompt, Decision } from '@portico/wallet-kit/approval-prompt'
import type { RequestSource } from '@portico/wallet-kit/request-source'

/** Why a connection ended or could not be established. */
export type EndReason =
  | 'account-unavailable'
  | 'code-unreadable'
  | 'ended-by-page'
  | 'ended-by-wallet'
  | 'expired'
  | 'failed'
  | 'not-connected'
  | 'other-relay'
  | 'rejected'
  | 'unanswered'

/** The state of the connection. */
export type ConnectionState =
  | { readonly step: 'none' }
  | { readonly step: 'joining' }
  | { readonly step: 'asking'; readonly prompt: ApprovalPrompt }
  | {
      readonly step: 'connected'
      /** When the connection expires, in epoch milliseconds. */
      readonly until: number
      readonly decided: Decision | undefined
      /** The number of proposals that the page waits for. */
      readonly awaited: number
    }
  | { readonly step: 'ended'; readonly how: EndReason; readonly decided: Decision | undefined }

/** The connection to one page. */
export interface Connection extends RequestSource {
  readonly state: () => ConnectionState
  /** Ends the connection and notifies the page. */
  readonly end: () => Promise<void>
  /** Closes without ending the session: pending responses are sent, and the next frame can resume it. */
  readonly leave: () => Promise<void>
}
