import type { Database } from '../database/database.ts'

/** The signing keys that all nodes share, wrapped. */
export function signingKeysStore(database: Database) {
  return {
    /** Oldest first. */
    list: async (): Promise<readonly SigningKeyRow[]> =>
      (
        await database
          .selectFrom('signing_keys')
          .select(['id', 'wrapped', 'created_at'])
          .orderBy('created_at')
          .orderBy('id')
          .execute()
      ).map(({ id, wrapped, created_at: createdAt }) => ({ id, wrapped, createdAt })),
    insert: (key: SigningKeyRow) =>
      database
        .insertInto('signing_keys')
        .values({ id: key.id, wrapped: key.wrapped, created_at: key.createdAt })
        .execute(),
    delete: (id: string) => database.deleteFrom('signing_keys').where('id', '=', id).execute(),
  }
}

export interface SigningKeyRow {
  readonly id: string
  readonly wrapped: string
  readonly createdAt: number
}
