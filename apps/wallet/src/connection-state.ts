import type { ApprovalRequest, ApprovalResult } from '@portico/contracts/hosted-wallet'
import type { Question } from './approval-request.ts'

/** Why there is no connection any more, or never was one. */
export type Over =
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

/** `failed` where the person agreed and the chain did not. */
type Answer = 'agreed' | 'failed' | 'refused' | 'withdrawn'

/** How the last question ended: as the person decided, withdrawn by the page, or with the window that showed it. */
export type Decided =
  | { readonly kind: ApprovalRequest['kind']; readonly how: Answer }
  | { readonly how: 'interrupted' }

/** Where the connection stands. */
export type ConnectionState =
  | { readonly step: 'none' }
  | { readonly step: 'joining' }
  | { readonly step: 'asking'; readonly question: Question }
  /** `until` in epoch milliseconds: the connection then ends by itself. */
  | { readonly step: 'connected'; readonly until: number; readonly decided: Decided | undefined }
  | { readonly step: 'over'; readonly how: Over; readonly decided: Decided | undefined }

/** How requests arrive, wherever they come from. */
export interface Connection {
  readonly state: () => ConnectionState
  readonly subscribe: (listener: () => void) => () => void
  /** Answers a question with what the keeper gave, or turns it down; only the question of now is heard. */
  readonly answer: (questionId: number, given: ApprovalResult | undefined) => void
  /** Ends the connection and tells the page. */
  readonly end: () => Promise<void>
  /** Lets go without ending it: whatever was answered is sent, and the next frame goes on. */
  readonly leave: () => Promise<void>
}
