/** The state of the chain: one row. */
interface ChainStateTable {
  id: number
  height: number
  accounts: number
  groups: number
  policies: number
  proposals: number
}

/** An account. Its first signature sets the public key. */
interface ChainAccountsTable {
  address: string
  number: number
  sequence: number
  publicKey: string | null
}

interface ChainBalancesTable {
  address: string
  denom: string
  amount: number
}

/** A group. Weights are decimal strings, as on a real chain. */
export interface ChainGroupsTable {
  id: number
  admin: string
  metadata: string
  totalWeight: string
  createdAt: number
  version: number
}

interface ChainGroupMembersTable {
  groupId: number
  address: string
  weight: string
  metadata: string
  addedAt: number
}

/** The policy account of a group. The decision policy is JSON in the chain's format. */
export interface ChainGroupPoliciesTable {
  address: string
  groupId: number
  admin: string
  metadata: string
  decisionPolicy: string
  createdAt: number
  version: number
}

/** A proposal. A real chain deletes one that has ended; its row remains for wallets that display its result. */
export interface ChainProposalsTable {
  id: number
  groupPolicyAddress: string
  title: string
  summary: string
  metadata: string
  /** JSON: addresses. */
  proposers: string
  /** JSON: the type and the bytes in base64 of each message. */
  messages: string
  groupVersion: number
  groupPolicyVersion: number
  status: 'SUBMITTED' | 'ACCEPTED' | 'REJECTED' | 'ABORTED' | 'WITHDRAWN'
  executorResult: 'NOT_RUN' | 'SUCCESS' | 'FAILURE'
  /** JSON in the chain's format. */
  finalTally: string
  /** The transaction of its last execution. */
  executionHash: string | null
  submittedAt: number
  votingPeriodEndsAt: number
}

/** A vote. A real chain deletes the votes of a decided proposal. */
export interface ChainVotesTable {
  proposalId: number
  voter: string
  option: 'YES' | 'ABSTAIN' | 'NO' | 'NO_WITH_VETO'
  metadata: string
  submittedAt: number
}

/** When the faucet last paid an address. */
interface ChainFaucetPaymentsTable {
  address: string
  paidAt: number
}

/** A transaction in a block: its bytes in base64 and its result as JSON. */
interface ChainTransactionsTable {
  hash: string
  height: number
  bytes: string
  result: string
}

/** The senders and recipients of a transaction's transfers, for searches. */
export interface ChainTransfersTable {
  hash: string
  height: number
  role: 'sender' | 'recipient'
  address: string
}

/** The tables of the development chain. */
export type ChainTables = {
  chainState: ChainStateTable
  chainAccounts: ChainAccountsTable
  chainBalances: ChainBalancesTable
  chainGroups: ChainGroupsTable
  chainGroupMembers: ChainGroupMembersTable
  chainGroupPolicies: ChainGroupPoliciesTable
  chainProposals: ChainProposalsTable
  chainVotes: ChainVotesTable
  chainFaucetPayments: ChainFaucetPaymentsTable
  chainTransactions: ChainTransactionsTable
  chainTransfers: ChainTransfersTable
}
