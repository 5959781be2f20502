import type { ApprovalRequest, ApprovalResult, Proposed } from '@portico/contracts/hosted-wallet'

/** An account or group with its name, which is empty for a group whose name may not be shown (`own-names.ts`). */
interface Named {
  readonly name: string
  readonly address: string
}

/** An account that acts for itself or for a group. */
export interface ActingAs {
  readonly account: Named
  readonly group: Named | null
}

/** An account the user can connect with. */
export interface Choice extends ActingAs {
  /** Identifies the choice. */
  readonly value: string
  readonly request: ApprovalRequest
}

/** The origin of requests that the user makes in the wallet itself. No page has it, because it is not an address. */
export const OWN_ORIGIN = 'This wallet'

interface PromptBase {
  /** Unique within this wallet. */
  readonly id: string
  /** The page's origin as reported by the browser, never by the page; undefined if the browser cannot tell. */
  readonly origin: string | undefined
  /** The origin that results are made for, if it is not `origin`: a scanned code has only the page's own address. */
  readonly audience?: string | undefined
  /** The page's own name and address for itself, which may be false. Shown only if the origin is unknown. */
  readonly claimed?: { readonly name: string; readonly url: string } | undefined
  /** The number of pending requests, including this one. */
  readonly waiting: number
}

/** The origin of the page that results are made for: no other page can sign in with them. 'null' if it is unknown. */
export const audienceOf = ({ origin, audience }: Pick<PromptBase, 'audience' | 'origin'>): string =>
  origin ?? audience ?? 'null'

/** A request to connect. `choices` is empty if no account of this wallet meets the page's requirements. */
export interface ConnectRequest extends PromptBase {
  readonly kind: 'connect'
  readonly choices: readonly Choice[]
  /** Lifetime of the page's token for the account, in seconds. */
  readonly lifetimeS: number
}

/** A connected page's request to sign, send or switch groups. */
export interface ActRequest extends PromptBase {
  readonly kind: 'act'
  readonly acting: ActingAs
  readonly request: ApprovalRequest
}

/** How a prompt ended: with the key keeper's result, with an unknown outcome, or, if undefined, without approval. */
export type PromptAnswer = ApprovalResult | Proposed | 'outcome-unknown' | undefined

/** A request for the user's approval. */
export type ApprovalPrompt = ConnectRequest | ActRequest

/**
 * `failed` means that the user approved but the chain rejected the transaction; `unknown`, that it is unknown whether the
 * transaction was sent; `proposed`, that it waits for the votes of other members of the group.
 */
type Answer = 'agreed' | 'failed' | 'proposed' | 'refused' | 'unknown' | 'withdrawn'

/** How the last request ended: decided by the user, withdrawn by the page, or interrupted by closing the window. */
export type Decision =
  | { readonly kind: ApprovalRequest['kind']; readonly how: Answer }
  | { readonly how: 'interrupted' }

/** How a prompt ended that the user answered with this result. */
export function decisionOf(
  prompt: Pick<ConnectRequest, 'kind'> | Pick<ActRequest, 'kind' | 'request'>,
  result: PromptAnswer,
): { readonly kind: ApprovalRequest['kind']; readonly how: Exclude<Answer, 'withdrawn'> } {
  return {
    kind: prompt.kind === 'connect' ? 'connect' : prompt.request.kind,
    how: answerOf(result),
  }
}

function answerOf(result: PromptAnswer): Exclude<Answer, 'withdrawn'> {
  if (result === undefined) return 'refused'
  if (result === 'outcome-unknown') return 'unknown'
  if (result.kind === 'proposed') return 'proposed'
  return result.kind === 'send' && (result.txResponse['code'] ?? 0) !== 0 ? 'failed' : 'agreed'
}
