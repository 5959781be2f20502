import type {
  ApprovalDescription,
  ApprovalRequest,
  ApprovalResult,
  HostedAccount,
  ProofReason,
  Proposed,
} from '@portico/contracts/hosted-wallet'

/** An account with the groups it may act for. */
export type WalletAccount = HostedAccount

/** A pending approval, with the description decoded from the exact bytes to sign. */
export interface PendingApproval {
  readonly approvalId: string
  readonly words: ApprovalDescription
  /** Why the user must confirm their identity first; null if not required. */
  readonly proof: ProofReason | null
}

/** The prompt that a request belongs to. */
export interface RequestedBy {
  /** Of the form `CONNECTION:REQUEST`. */
  readonly promptId: string
  /** The page's origin as reported by the browser; undefined if unknown. */
  readonly origin: string | undefined
  /** The origin that results are made for: `origin` or, for a scanned code, the page's own address; 'null' if it is unknown. */
  readonly audience?: string | undefined
}

/** A new account; `words` restores it from recovery words. */
interface NewAccount {
  readonly name: string
  readonly words?: string | undefined
}

/**
 * Keeps a wallet's keys, which may be a server, an extension's background worker or a phone; the screens are the same.
 * It signs nothing without approval: a request creates a pending approval with a description, which can be approved once.
 *
 * Every function throws an `ApiError` or a `Refusal` if it is refused or there is no response.
 */
export interface KeyKeeper {
  readonly accounts: () => Promise<readonly WalletAccount[]>
  readonly create: (account: NewAccount) => Promise<void>
  readonly rename: (account: { readonly address: string; readonly name: string }) => Promise<void>
  /** Locks the wallet: accounts and signing are unavailable until the user confirms their identity. */
  readonly lock: () => Promise<void>
  /** Creates a pending approval. A keeper on a device creates one per prompt, so a repeated call returns the same one. */
  readonly requestApproval: (
    request: ApprovalRequest,
    prompt: RequestedBy,
  ) => Promise<PendingApproval>
  readonly approve: (approvalId: string) => Promise<ApprovalResult | Proposed>
  readonly reject: (approvalId: string) => Promise<void>
}
