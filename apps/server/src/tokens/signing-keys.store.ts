import type { Database } from '../database/database.ts'

/** The signing keys of all nodes, as wrapped texts. */
export function signingKeysStore(database: Database) {
  return {
    /** The oldest key, which every node signs with. */
    first: () =>
      database
        .selectFrom('signing_keys')
        .select(['id', 'wrapped'])
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),
    add: (key: { id: string; wrapped: string; at: number }) =>
      database
        .insertInto('signing_keys')
        .values({ id: key.id, wrapped: key.wrapped, created_at: key.at })
        .execute(),
  }
}
