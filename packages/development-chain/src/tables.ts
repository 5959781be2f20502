/** The state of the chain: one row. */
interface ChainStateTable {
  id: number
  height: number
  accounts: number
  groups: number
  policies: number
  proposals: number
}

/** An account. The public key is set by its first signature. */
interface ChainAccountsTable {
  address: string
  number: number
  sequence: number
  public_key: string | null
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
  total_weight: string
  created_at: number
}

interface ChainGroupMembersTable {
  group_id: number
  address: string
  weight: string
  metadata: string
  added_at: number
}

/** The policy account of a group. The decision policy is JSON in the chain's format. */
interface ChainGroupPoliciesTable {
  address: string
  group_id: number
  admin: string
  metadata: string
  decision_policy: string
  created_at: number
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
  chain_state: ChainStateTable
  chain_accounts: ChainAccountsTable
  chain_balances: ChainBalancesTable
  chain_groups: ChainGroupsTable
  chain_group_members: ChainGroupMembersTable
  chain_group_policies: ChainGroupPoliciesTable
  chain_transactions: ChainTransactionsTable
}
