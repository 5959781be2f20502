import type { Database } from '../database/database.ts'

/** The encrypted signing keys, in a table that all nodes share. */
export function signingKeysStore(database: Database, table: 'openidKeys' | 'signingKeys') {
  return {
    /** Oldest first. */
    list: async (): Promise<readonly SigningKeyRow[]> =>
      (
        await database
          .selectFrom(table)
          .select(['id', 'wrapped', 'createdAt'])
          .orderBy('createdAt')
          .orderBy('id')
          .execute()
      ).map(({ id, wrapped, createdAt }) => ({ id, wrapped, createdAt })),
    insert: (key: SigningKeyRow) =>
      database
        .insertInto(table)
        .values({ id: key.id, wrapped: key.wrapped, createdAt: key.createdAt })
        .execute(),
    delete: (id: string) => database.deleteFrom(table).where('id', '=', id).execute(),
  }
}

export interface SigningKeyRow {
  readonly id: string
  readonly wrapped: string
  readonly createdAt: number
}
