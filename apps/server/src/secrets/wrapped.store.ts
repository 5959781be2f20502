import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Every column with wrapped values, and the purpose they are wrapped for. */
const WRAPPED_COLUMNS = [
  { table: 'actRequests', key: 'id', column: 'answer', purpose: 'act answer' },
  { table: 'actRequests', key: 'id', column: 'content', purpose: 'act request' },
  { table: 'auditChain', key: 'id', column: 'wrappedKey', purpose: 'audit chain' },
  { table: 'idempotencyKeys', key: 'keyHash', column: 'answer', purpose: 'idempotent answer' },
  { table: 'hostedKeys', key: 'address', column: 'wrapped', purpose: 'hosted wallet' },
  {
    table: 'identityProviders',
    key: 'id',
    column: 'secret',
    purpose: 'provider secret',
  },
  { table: 'messages', key: 'id', column: 'content', purpose: 'message' },
  { table: 'openidKeys', key: 'id', column: 'wrapped', purpose: 'openid key' },
  { table: 'providerLogins', key: 'stateHash', column: 'wrapped', purpose: 'provider login' },
  { table: 'providerSetups', key: 'providerId', column: 'secret', purpose: 'provider secret' },
  { table: 'providerSetups', key: 'providerId', column: 'test', purpose: 'provider test' },
  { table: 'providerTests', key: 'stateHash', column: 'wrapped', purpose: 'provider login' },
  { table: 'passportFiles', key: 'id', column: 'wrapped', purpose: 'passport file' },
  { table: 'passportReviews', key: 'id', column: 'reason', purpose: 'passport' },
  { table: 'passportSections', key: 'id', column: 'answers', purpose: 'passport' },
  {
    table: 'pushSubscriptions',
    key: 'idHash',
    column: 'wrapped',
    purpose: 'push subscription',
  },
  { table: 'shortLinks', key: 'idHash', column: 'wrapped', purpose: 'short link' },
  { table: 'signingKeys', key: 'id', column: 'wrapped', purpose: 'signing key' },
  { table: 'totp', key: 'identityId', column: 'pendingSecret', purpose: 'totp' },
  { table: 'totp', key: 'identityId', column: 'secret', purpose: 'totp' },
  { table: 'vapidKeys', key: 'id', column: 'wrapped', purpose: 'push key' },
  { table: 'webhookEndpoints', key: 'id', column: 'secrets', purpose: 'webhook secrets' },
] as const

export type WrappedColumn = (typeof WRAPPED_COLUMNS)[number]

/** A wrapped value with its row's primary key. */
interface WrappedText {
  readonly id: string
  readonly wrapped: string
}

/** The wrapped values in all columns, for re-encryption with a new master key. */
export function wrappedStore(database: Database) {
  return {
    columns: WRAPPED_COLUMNS,

    /** Values wrapped by a key other than `keyId`, ordered by primary key, after `after`. */
    async listByOtherKeys(
      { table, key, column }: WrappedColumn,
      { keyId, after, limit }: { keyId: string; after: string; limit: number },
    ): Promise<readonly WrappedText[]> {
      const { rows } = await sql<WrappedText>`
        select ${sql.ref(key)} as id, ${sql.ref(column)} as wrapped from ${sql.table(table)}
        where ${sql.ref(column)} not like ${`${keyId}.%`} and ${sql.ref(column)} != ''
          and ${sql.ref(key)} > ${after}
        order by ${sql.ref(key)} limit ${sql.lit(limit)}`.execute(database)
      return rows
    },

    /** Replaces a value unless it has changed in the meantime. */
    async replace(
      { table, key, column }: WrappedColumn,
      { id, from, to }: { id: string; from: string; to: string },
    ): Promise<void> {
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${to}
        where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${from}`.execute(database)
    },
  }
}
