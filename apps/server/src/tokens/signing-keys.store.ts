import type { Database } from '../database/database.ts'

/** The signing keys that all nodes share, wrapped. */
export function signingKeysStore(database: Database) {
  return {
    /** Oldest first. */
    list: async (): Promise<readonly SigningKeyRow[]> =>
      (
        await database
          .selectFrom('signingKeys')
          .select(['id', 'wrapped', 'createdAt'])
          .orderBy('createdAt')
          .orderBy('id')
          .execute()
      ).map(({ id, wrapped, createdAt }) => ({ id, wrapped, createdAt })),
    insert: (key: SigningKeyRow) =>
      database
        .insertInto('signingKeys')
        .values({ id: key.id, wrapped: key.wrapped, createdAt: key.createdAt })
        .execute(),
    delete: (id: string) => database.deleteFrom('signingKeys').where('id', '=', id).execute(),
  }
}

export interface SigningKeyRow {
  readonly id: string
  readonly wrapped: string
  readonly createdAt: number
}
