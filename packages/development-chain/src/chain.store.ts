import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type {
  ChainGroupsTable,
  ChainProposalsTable,
  ChainTables,
  ChainTransfersTable,
  ChainVotesTable,
} from './tables.ts'

/** The counters of the chain. */
type Counter = 'accounts' | 'groups' | 'height' | 'policies' | 'proposals'

/** A group with its members. */
interface GroupMembers {
  readonly group: Insertable<ChainGroupsTable>
  readonly members: readonly { address: string; weight: string; metadata: string }[]
}

/** A proposal of a group. */
export type Proposal = Selectable<ChainProposalsTable>

/** A search for transfers of an address. */
export interface TransferSearch {
  readonly role: 'sender' | 'recipient'
  readonly address: string
  readonly isNewestFirst: boolean
  /** Begins at 1. */
  readonly page: number
  readonly limit: number
}

/** Larger numbers are not exact in both engines and JavaScript. */
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER

/** The state of the chain, on the database or within a transaction. */
function chainStore(database: Kysely<ChainTables>) {
  async function groups(ids: readonly number[]): Promise<Selectable<ChainGroupsTable>[]> {
    if (ids.length === 0) return []
    return database
      .selectFrom('chainGroups')
      .selectAll()
      .where('id', 'in', [...ids])
      .orderBy('id')
      .execute()
  }

  return {
    /** Increments a counter and returns its value. This locks the chain until the end of the transaction. */
    async next(counter: Counter): Promise<number> {
      const { number } = await database
        .updateTable('chainState')
        .set((eb) => ({ [counter]: eb(counter, '+', 1) }))
        .where('id', '=', 1)
        .returning(`${counter} as number`)
        .executeTakeFirstOrThrow()
      return number
    },

    async height(): Promise<number> {
      const { height } = await database
        .selectFrom('chainState')
        .select('height')
        .executeTakeFirstOrThrow()
      return height
    },

    account: (address: string) =>
      database
        .selectFrom('chainAccounts')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    /** Inserts an account unless it exists. */
    async addAccount(address: string, number: number): Promise<void> {
      await database
        .insertInto('chainAccounts')
        .values({ address, number, sequence: 0, publicKey: null })
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    /** Consumes an account's sequence number. Of concurrent calls with the same number, only one succeeds. */
    async useSequence(use: {
      address: string
      sequence: number
      publicKey: string
    }): Promise<boolean> {
      const used = await database
        .updateTable('chainAccounts')
        .set({ sequence: use.sequence + 1, publicKey: use.publicKey })
        .where('address', '=', use.address)
        .where('sequence', '=', use.sequence)
        .returning('address')
        .executeTakeFirst()
      return used !== undefined
    },

    balances: (address: string) =>
      database
        .selectFrom('chainBalances')
        .select(['denom', 'amount'])
        .where('address', '=', address)
        .where('amount', '>', 0)
        .orderBy('denom')
        .execute(),

    async balance(address: string, denom: string): Promise<number> {
      const found = await database
        .selectFrom('chainBalances')
        .select('amount')
        .where('address', '=', address)
        .where('denom', '=', denom)
        .executeTakeFirst()
      return found?.amount ?? 0
    },

    /** Subtracts an amount if the balance suffices. */
    async debit(address: string, denom: string, amount: number): Promise<boolean> {
      const taken = await database
        .updateTable('chainBalances')
        .set((eb) => ({ amount: eb('amount', '-', amount) }))
        .where('address', '=', address)
        .where('denom', '=', denom)
        .where('amount', '>=', amount)
        .returning('address')
        .executeTakeFirst()
      return taken !== undefined
    },

    /** Adds an amount unless the sum exceeds the maximum. */
    async credit(address: string, denom: string, amount: number): Promise<boolean> {
      const credited = await database
        .insertInto('chainBalances')
        .values({ address, denom, amount })
        .onConflict((conflict) =>
          conflict
            .columns(['address', 'denom'])
            .doUpdateSet((eb) => ({ amount: eb('chainBalances.amount', '+', amount) }))
            .where('chainBalances.amount', '<=', MAX_AMOUNT - amount),
        )
        .returning('address')
        .executeTakeFirst()
      return credited !== undefined
    },

    async addGroup({ group, members }: GroupMembers): Promise<void> {
      await database.insertInto('chainGroups').values(group).execute()
      for (const member of members) {
        await database
          .insertInto('chainGroupMembers')
          .values({ ...member, groupId: group.id, addedAt: group.createdAt })
          .execute()
      }
    },

    async updateGroup(
      id: number,
      changes: Updateable<Pick<ChainGroupsTable, 'totalWeight' | 'version'>>,
    ): Promise<void> {
      await database.updateTable('chainGroups').set(changes).where('id', '=', id).execute()
    },

    /** Adds or changes a member. An existing member keeps the date of joining. */
    async upsertMember(member: Insertable<ChainTables['chainGroupMembers']>): Promise<void> {
      const { weight, metadata } = member
      await database
        .insertInto('chainGroupMembers')
        .values(member)
        .onConflict((conflict) =>
          conflict.columns(['groupId', 'address']).doUpdateSet({ weight, metadata }),
        )
        .execute()
    },

    async deleteMember(groupId: number, address: string): Promise<void> {
      await database
        .deleteFrom('chainGroupMembers')
        .where('groupId', '=', groupId)
        .where('address', '=', address)
        .execute()
    },

    async group(id: number): Promise<Selectable<ChainGroupsTable> | undefined> {
      const [group] = await groups([id])
      return group
    },

    members: (groupId: number) =>
      database
        .selectFrom('chainGroupMembers')
        .selectAll()
        .where('groupId', '=', groupId)
        .orderBy('address')
        .execute(),

    /** The groups that an address is a member of. */
    async groupsOfMember(address: string): Promise<Selectable<ChainGroupsTable>[]> {
      const rows = await database
        .selectFrom('chainGroupMembers')
        .select('groupId')
        .where('address', '=', address)
        .execute()
      return groups(rows.map(({ groupId }) => groupId))
    },

    async addPolicy(policy: Insertable<ChainTables['chainGroupPolicies']>): Promise<void> {
      await database.insertInto('chainGroupPolicies').values(policy).execute()
    },

    policy: (address: string) =>
      database
        .selectFrom('chainGroupPolicies')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    policiesOfGroup: (groupId: number) =>
      database
        .selectFrom('chainGroupPolicies')
        .selectAll()
        .where('groupId', '=', groupId)
        .orderBy('address')
        .execute(),

    async updatePolicy(
      address: string,
      changes: Updateable<Pick<ChainTables['chainGroupPolicies'], 'decisionPolicy' | 'version'>>,
    ): Promise<void> {
      await database
        .updateTable('chainGroupPolicies')
        .set(changes)
        .where('address', '=', address)
        .execute()
    },

    async addProposal(proposal: Insertable<ChainProposalsTable>): Promise<void> {
      await database.insertInto('chainProposals').values(proposal).execute()
    },

    proposal: (id: number): Promise<Proposal | undefined> =>
      database.selectFrom('chainProposals').selectAll().where('id', '=', id).executeTakeFirst(),

    proposalsOfPolicy: (address: string): Promise<Proposal[]> =>
      database
        .selectFrom('chainProposals')
        .selectAll()
        .where('groupPolicyAddress', '=', address)
        .orderBy('id')
        .execute(),

    /** Open proposals whose voting period has ended. */
    proposalsToTally: (at: number): Promise<Proposal[]> =>
      database
        .selectFrom('chainProposals')
        .selectAll()
        .where('status', '=', 'SUBMITTED')
        .where('votingPeriodEndsAt', '<', at)
        .orderBy('id')
        .execute(),

    async updateProposal(
      id: number,
      changes: Updateable<
        Pick<ChainProposalsTable, 'executionHash' | 'executorResult' | 'finalTally' | 'status'>
      >,
    ): Promise<void> {
      await database.updateTable('chainProposals').set(changes).where('id', '=', id).execute()
    },

    async abortProposals(groupPolicyAddress: string): Promise<void> {
      await database
        .updateTable('chainProposals')
        .set({ status: 'ABORTED' })
        .where('groupPolicyAddress', '=', groupPolicyAddress)
        .where('status', '=', 'SUBMITTED')
        .execute()
    },

    /** Stores a vote; false if the voter has voted. */
    async addVote(vote: Insertable<ChainVotesTable>): Promise<boolean> {
      const added = await database
        .insertInto('chainVotes')
        .values(vote)
        .onConflict((conflict) => conflict.columns(['proposalId', 'voter']).doNothing())
        .returning('voter')
        .executeTakeFirst()
      return added !== undefined
    },

    votes: (proposalId: number) =>
      database
        .selectFrom('chainVotes')
        .selectAll()
        .where('proposalId', '=', proposalId)
        .orderBy('voter')
        .execute(),

    /** Records a faucet payment; false if the last one is more recent than `since`. */
    async recordFaucetPayment(address: string, at: number, since: number): Promise<boolean> {
      const recorded = await database
        .insertInto('chainFaucetPayments')
        .values({ address, paidAt: at })
        .onConflict((conflict) =>
          conflict
            .column('address')
            .doUpdateSet({ paidAt: at })
            .where('chainFaucetPayments.paidAt', '<=', since),
        )
        .returning('address')
        .executeTakeFirst()
      return recorded !== undefined
    },

    async addTransaction(transaction: Insertable<ChainTables['chainTransactions']>): Promise<void> {
      await database.insertInto('chainTransactions').values(transaction).execute()
    },

    async addTransfers(transfers: readonly Insertable<ChainTransfersTable>[]): Promise<void> {
      if (transfers.length === 0) return
      await database
        .insertInto('chainTransfers')
        .values([...transfers])
        .execute()
    },

    /** The transactions with a transfer from or to an address, and how many there are in total. */
    async searchTransfers({ role, address, isNewestFirst, page, limit }: TransferSearch) {
      const found = database
        .selectFrom('chainTransfers')
        .innerJoin('chainTransactions', 'chainTransactions.hash', 'chainTransfers.hash')
        .where('chainTransfers.address', '=', address)
        .where('chainTransfers.role', '=', role)
      const [transactions, { total }] = await Promise.all([
        found
          .selectAll('chainTransactions')
          .orderBy('chainTransactions.height', isNewestFirst ? 'desc' : 'asc')
          .limit(limit)
          .offset((page - 1) * limit)
          .execute(),
        found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ])
      return { transactions, total }
    },

    transaction: (hash: string) =>
      database
        .selectFrom('chainTransactions')
        .selectAll()
        .where('hash', '=', hash)
        .executeTakeFirst(),
  }
}

export type ChainStore = ReturnType<typeof chainStore>

/** The state of the chain, with transactions. */
export interface AtomicChainStore extends ChainStore {
  readonly atomically: <Result>(work: (chain: ChainStore) => Promise<Result>) => Promise<Result>
}

export function openChainStore(database: Kysely<ChainTables>): AtomicChainStore {
  return {
    ...chainStore(database),
    atomically: (work) =>
      database.transaction().execute((transaction) => work(chainStore(transaction))),
  }
}
