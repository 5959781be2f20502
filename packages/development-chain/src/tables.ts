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
}

interface ChainGroupMembersTable {
  groupId: number
  address: string
  weight: string
  metadata: string
  addedAt: number
}

/** The policy account of a group. The decision policy is JSON in the chain's format. */
interface ChainGroupPoliciesTable {
  address: string
  groupId: number
  admin: string
  metadata: string
  decisionPolicy: string
  createdAt: number
}

/** A transaction in a block: its bytes in base64 and its result as JSON. */
interface ChainTransactionsTable {
  hash: string
  height: number
  bytes: string
  result: string
}

/** The tables of the development chain. */
export type ChainTables = {
  chainState: ChainStateTable
  chainAccounts: ChainAccountsTable
  chainBalances: ChainBalancesTable
  chainGroups: ChainGroupsTable
  chainGroupMembers: ChainGroupMembersTable
  chainGroupPolicies: ChainGroupPoliciesTable
  chainTransactions: ChainTransactionsTable
}
