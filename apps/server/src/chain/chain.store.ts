import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { ChainGroupsTable, Tables } from '../database/tables.ts'

/** What the chain counts. */
type Counted = 'accounts' | 'groups' | 'height' | 'policies' | 'proposals'

/** What a group consists of. */
export interface GroupMembers {
  readonly group: Insertable<ChainGroupsTable>
  readonly members: readonly { address: string; weight: string; metadata: string }[]
}

/** Anything larger is no number any more that both engines and this language hold exactly. */
const AMOUNT_MAXIMUM = Number.MAX_SAFE_INTEGER

/** What stands on the development chain. */
export function chainStore(database: Database) {
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
    /** Counts on, and gives the number reached; whoever has done so is alone with the chain until their transaction ends. */
    async next(counted: Counted): Promise<number> {
      const { number } = await database
        .updateTable('chain_state')
        .set((the) => ({ [counted]: the(counted, '+', 1) }))
        .where('id', '=', 1)
        .returning(`${counted} as number`)
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

    /** Adds an account; one that is there already stays. */
    async addAccount(address: string, number: number): Promise<void> {
      await database
        .insertInto('chain_accounts')
        .values({ address, number, sequence: 0, public_key: null })
        .onConflict((conflict) => conflict.column('address').doNothing())
        .execute()
    },

    /** Uses up the sequence of an account; of any number of racers with the same one, exactly one may. */
    async useSequence(given: {
      address: string
      sequence: number
      publicKey: string
    }): Promise<boolean> {
      const used = await database
        .updateTable('chain_accounts')
        .set({ sequence: given.sequence + 1, public_key: given.publicKey })
        .where('address', '=', given.address)
        .where('sequence', '=', given.sequence)
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

    /** Takes an amount away where there is as much. */
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

    /** Adds an amount where the sum can still be held. */
    async credit(address: string, denom: string, amount: number): Promise<boolean> {
      const given = await database
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
      return given !== undefined
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

    async addPolicy(policy: Insertable<Tables['chain_group_policies']>): Promise<void> {
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

    async addTransaction(transaction: Insertable<Tables['chain_transactions']>): Promise<void> {
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

/** The chain as it stands, or as it would stand at the end of a transaction. */
export type ChainStore = ReturnType<typeof chainStore>
