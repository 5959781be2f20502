import type { Database } from '../../database/database.ts'

/** The nodes that share this database. */
export function nodesStore(database: Database) {
  return {
    /** Records that a node is running. */
    async report(node: {
      readonly id: string
      readonly version: string
      readonly startedAt: number
      readonly seenAt: number
      readonly state: string
    }): Promise<void> {
      await database
        .insertInto('nodes')
        .values(node)

        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({ seenAt: node.seenAt, state: node.state }),
        )
        .execute()
    },

    /** Removes a stopped node. */
    async delete(id: string): Promise<void> {
      await database.deleteFrom('nodes').where('id', '=', id).execute()
    },

    listSeenAfter: (at: number, limit: number) =>
      database
        .selectFrom('nodes')
        .selectAll()
        .where('seenAt', '>', at)
        .orderBy('seenAt', 'desc')
        .limit(limit)
        .execute(),
  }
}
