import type {
  ApprovalRequest,
  ApprovalResult,
  ApprovalWords,
  HostedAccount,
  ProofReason,
} from '@portico/contracts/hosted-wallet'

/** An account of a wallet, with the groups it may act for. */
export type KeeperAccount = HostedAccount

/** What is to be approved, decoded from the very bytes that would be signed, and the name under which that is done. */
export interface Asked {
  readonly approvalId: string
  readonly words: ApprovalWords
  /** Why the person has to prove who they are before it can be approved. */
  readonly proof: ProofReason | null
}

/** How an account comes to be: named, and of its own words where the person has some. */
interface NewAccount {
  readonly name: string
  readonly words?: string | undefined
}

/**
 * Where a wallet's keys are. The screens are the same wherever that is: a server, an extension's background, a phone.
 * A keeper signs nothing by itself: something is asked, told in words, and approved under the name it was asked by, once.
 *
 * Every function throws an `ApiError` where it is refused or nobody answers.
 */
export interface KeyKeeper {
  readonly accounts: () => Promise<readonly KeeperAccount[]>
  readonly make: (account: NewAccount) => Promise<void>
  readonly rename: (account: { readonly address: string; readonly name: string }) => Promise<void>
  /** From now on nothing is shown or signed until the person has proven again who they are. */
  readonly lock: () => Promise<void>
  readonly ask: (request: ApprovalRequest) => Promise<Asked>
  readonly approve: (approvalId: string) => Promise<ApprovalResult>
  readonly reject: (approvalId: string) => Promise<void>
}
