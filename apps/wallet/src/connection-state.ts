import type { ApprovalRequest } from '@portico/contracts/hosted-wallet'
import type { ApprovalPrompt, PromptAnswer } from './approval-prompt.ts'

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

/**
 * `failed` means that the user approved but the chain rejected the transaction; `unknown`, that it is unknown whether the
 * transaction was sent.
 */
type Answer = 'agreed' | 'failed' | 'refused' | 'unknown' | 'withdrawn'

/** How the last request ended: decided by the user, withdrawn by the page, or interrupted by closing the window. */
export type Decision =
  | { readonly kind: ApprovalRequest['kind']; readonly how: Answer }
  | { readonly how: 'interrupted' }

/** The state of the connection. */
export type ConnectionState =
  | { readonly step: 'none' }
  | { readonly step: 'joining' }
  | { readonly step: 'asking'; readonly prompt: ApprovalPrompt }
  /** `until` is when the connection expires, in epoch milliseconds. */
  | { readonly step: 'connected'; readonly until: number; readonly decided: Decision | undefined }
  | { readonly step: 'ended'; readonly how: EndReason; readonly decided: Decision | undefined }

/** Whether the page can withdraw the request that the user is deciding. */
export interface CurrentRequest {
  /**
   * Commits the current request before it is carried out: from then on the page cannot withdraw it. False if the page has
   * already withdrawn it.
   */
  readonly commit: (promptId: number) => Promise<boolean>
  /** Reverses `commit` after an attempt that carried out nothing: the page can withdraw the request again. */
  readonly release: (promptId: number) => void
}

/** A source of requests. */
export interface Connection extends CurrentRequest {
  readonly state: () => ConnectionState
  readonly subscribe: (listener: () => void) => () => void
  /** Answers the current request. */
  readonly answer: (promptId: number, result: PromptAnswer) => void
  /** Ends the connection and notifies the page. */
  readonly end: () => Promise<void>
  /** Closes without ending the session: pending responses are sent, and the next frame can resume it. */
  readonly leave: () => Promise<void>
}
