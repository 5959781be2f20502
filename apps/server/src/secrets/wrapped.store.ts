import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Every column that holds texts wrapped by the master key, and the purpose they are wrapped for. */
const WRAPPED = [
  { table: 'hosted_keys', key: 'address', column: 'wrapped', purpose: 'hosted wallet' },
  { table: 'messages', key: 'id', column: 'content', purpose: 'message' },
  { table: 'short_links', key: 'id_hash', column: 'wrapped', purpose: 'short link' },
  { table: 'signing_keys', key: 'id', column: 'wrapped', purpose: 'signing key' },
  { table: 'totp', key: 'identity_id', column: 'pending_secret', purpose: 'totp' },
  { table: 'totp', key: 'identity_id', column: 'secret', purpose: 'totp' },
] as const

/** A place where wrapped texts are kept. */
export type WrappedPlace = (typeof WRAPPED)[number]

/** A wrapped text with the key of its row. */
interface WrappedText {
  readonly id: string
  readonly wrapped: string
}

/** Wrapped texts, wherever they are kept. */
export function wrappedStore(database: Database) {
  return {
    places: WRAPPED,

    /** Texts that another key than `keyId` wraps, in the order of their rows, after one of them. */
    async wrappedOtherwise(
      { table, key, column }: WrappedPlace,
      { keyId, after, limit }: { keyId: string; after: string; limit: number },
    ): Promise<readonly WrappedText[]> {
      const { rows } = await sql<WrappedText>`
        select ${sql.ref(key)} as id, ${sql.ref(column)} as wrapped from ${sql.table(table)}
        where ${sql.ref(column)} not like ${`${keyId}.%`} and ${sql.ref(column)} != ''
          and ${sql.ref(key)} > ${after}
        order by ${sql.ref(key)} limit ${sql.lit(limit)}`.execute(database)
      return rows
    },

    /** Puts a text in the place of another, unless somebody changed that meanwhile: what they wrote stays. */
    async replace(
      { table, key, column }: WrappedPlace,
      { id, from, to }: { id: string; from: string; to: string },
    ): Promise<void> {
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${to}
        where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${from}`.execute(database)
    },
  }
}
