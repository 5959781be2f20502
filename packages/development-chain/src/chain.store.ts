import type { Insertable, Kysely, Selectable } from 'kysely'
import type { ChainGroupsTable, ChainTables } from './tables.ts'

/** The counters of the chain. */
type Counter = 'accounts' | 'groups' | 'height' | 'policies' | 'proposals'

/** A group with its members. */
interface GroupMembers {
  readonly group: Insertable<ChainGroupsTable>
  readonly members: readonly { address: string; weight: string; metadata: string }[]
}

/** Larger numbers are not exact in both engines and JavaScript. */
const AMOUNT_MAXIMUM = Number.MAX_SAFE_INTEGER

/** The state of the chain, on the database or within a transaction. */
function chainStore(database: Kysely<ChainTables>) {
  async function groups(ids: readonly number[]): Promise<Selectable<ChainGroupsTable>[]> {
    if (ids.length === 0) return []
    return database
      .selectFrom('chain_groups')
      .selectAll()
      .where('id', 'in', [...ids])
      .orderBy('id')
      .execute()
  }

  return {
    /** Increments a counter and returns its value. This locks the chain until the end of the transaction. */
    async next(counter: Counter): Promise<number> {
      const { number } = await database
        .updateTable('chain_state')
        .set((the) => ({ [counter]: the(counter, '+', 1) }))
        .where('id', '=', 1)
        .returning(`${counter} as number`)
        .executeTakeFirstOrThrow()
      return number
    },

    async height(): Promise<number> {
      const { height } = await database
        .selectFrom('chain_state')
        .select('height')
        .executeTakeFirstOrThrow()
      return height
    },

    account: (address: string) =>
      database
        .selectFrom('chain_accounts')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    /** Inserts an account unless it exists. */
    async addAccount(address: string, number: number): Promise<void> {
      await database
        .insertInto('chain_accounts')
        .values({ address, number, sequence: 0, public_key: null })
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    /** Consumes a sequence of an account. Of concurrent calls with the same one, only one succeeds. */
    async useSequence(use: {
      address: string
      sequence: number
      publicKey: string
    }): Promise<boolean> {
      const used = await database
        .updateTable('chain_accounts')
        .set({ sequence: use.sequence + 1, public_key: use.publicKey })
        .where('address', '=', use.address)
        .where('sequence', '=', use.sequence)
        .returning('address')
        .executeTakeFirst()
      return used !== undefined
    },

    balances: (address: string) =>
      database
        .selectFrom('chain_balances')
        .select(['denom', 'amount'])
        .where('address', '=', address)
        .where('amount', '>', 0)
        .orderBy('denom')
        .execute(),

    async balance(address: string, denom: string): Promise<number> {
      const found = await database
        .selectFrom('chain_balances')
        .select('amount')
        .where('address', '=', address)
        .where('denom', '=', denom)
        .executeTakeFirst()
      return found?.amount ?? 0
    },

    /** Subtracts an amount if the balance suffices. */
    async debit(address: string, denom: string, amount: number): Promise<boolean> {
      const taken = await database
        .updateTable('chain_balances')
        .set((the) => ({ amount: the('amount', '-', amount) }))
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
        .insertInto('chain_balances')
        .values({ address, denom, amount })
        .onConflict((conflict) =>
          conflict
            .columns(['address', 'denom'])
            .doUpdateSet((the) => ({ amount: the('chain_balances.amount', '+', amount) }))
            .where('chain_balances.amount', '<=', AMOUNT_MAXIMUM - amount),
        )
        .returning('address')
        .executeTakeFirst()
      return credited !== undefined
    },

    async addGroup({ group, members }: GroupMembers): Promise<void> {
      await database.insertInto('chain_groups').values(group).execute()
      for (const member of members) {
        await database
          .insertInto('chain_group_members')
          .values({ ...member, group_id: group.id, added_at: group.created_at })
          .execute()
      }
    },

    async setGroupAdmin(id: number, admin: string): Promise<void> {
      await database.updateTable('chain_groups').set({ admin }).where('id', '=', id).execute()
    },

    async group(id: number): Promise<Selectable<ChainGroupsTable> | undefined> {
      const [group] = await groups([id])
      return group
    },

    members: (groupId: number) =>
      database
        .selectFrom('chain_group_members')
        .selectAll()
        .where('group_id', '=', groupId)
        .orderBy('address')
        .execute(),

    /** The groups that an address is a member of. */
    async groupsOfMember(address: string): Promise<Selectable<ChainGroupsTable>[]> {
      const rows = await database
        .selectFrom('chain_group_members')
        .select('group_id')
        .where('address', '=', address)
        .execute()
      return groups(rows.map(({ group_id }) => group_id))
    },

    async addPolicy(policy: Insertable<ChainTables['chain_group_policies']>): Promise<void> {
      await database.insertInto('chain_group_policies').values(policy).execute()
    },

    policy: (address: string) =>
      database
        .selectFrom('chain_group_policies')
        .selectAll()
        .where('address', '=', address)
        .executeTakeFirst(),

    policiesOfGroup: (groupId: number) =>
      database
        .selectFrom('chain_group_policies')
        .selectAll()
        .where('group_id', '=', groupId)
        .orderBy('address')
        .execute(),

    async addTransaction(
      transaction: Insertable<ChainTables['chain_transactions']>,
    ): Promise<void> {
      await database.insertInto('chain_transactions').values(transaction).execute()
    },

    transaction: (hash: string) =>
      database
        .selectFrom('chain_transactions')
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
