import type {
  ApprovalDescription,
  ApprovalRequest,
  ApprovalResult,
  HostedAccount,
  ProofReason,
} from '@portico/contracts/hosted-wallet'

/** An account with the groups it may act for. */
export type KeyStoreAccount = HostedAccount

/** A pending approval, with the description decoded from the exact bytes to sign. */
export interface PendingApproval {
  readonly approvalId: string
  readonly words: ApprovalDescription
  /** Why the user must confirm their identity first; null if not required. */
  readonly proof: ProofReason | null
}

/** A new account; `words` restores it from recovery words. */
interface NewAccount {
  readonly name: string
  readonly words?: string | undefined
}

/**
 * The storage of a wallet's keys, which may be a server, an extension's background worker or a phone; the screens are the same.
 * It signs nothing without approval: a request creates a pending approval with a description, which can be approved once.
 *
 * Every function throws an `ApiError` if it is refused or there is no response.
 */
export interface KeyStore {
  readonly accounts: () => Promise<readonly KeyStoreAccount[]>
  readonly create: (account: NewAccount) => Promise<void>
  readonly rename: (account: { readonly address: string; readonly name: string }) => Promise<void>
  /** Locks the wallet: accounts and signing are unavailable until the user confirms their identity. */
  readonly lock: () => Promise<void>
  readonly requestApproval: (request: ApprovalRequest) => Promise<PendingApproval>
  readonly approve: (approvalId: string) => Promise<ApprovalResult>
  readonly reject: (approvalId: string) => Promise<void>
}
