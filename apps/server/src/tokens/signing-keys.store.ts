import type { Database } from '../database/database.ts'

/** The signing keys of all nodes, as wrapped texts. */
export function signingKeysStore(database: Database) {
  return {
    /** Every key that is not over, the oldest first. */
    list: async (): Promise<readonly SigningKeyRow[]> =>
      (
        await database
          .selectFrom('signing_keys')
          .select(['id', 'wrapped', 'created_at'])
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(({ id, wrapped, created_at: createdAt }) => ({ id, wrapped, createdAt })),
    add: (key: SigningKeyRow) =>
      database
        .insertInto('signing_keys')
        .values({ id: key.id, wrapped: key.wrapped, created_at: key.createdAt })
        .execute(),
    delete: (id: string) => database.deleteFrom('signing_keys').where('id', '=', id).execute(),
  }
}

/** A stored signing key. */
export interface SigningKeyRow {
  readonly id: string
  readonly wrapped: string
  readonly createdAt: number
}
