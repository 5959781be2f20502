import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The lock of the hosted wallet, per session. */
export const walletLock: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('sessions').addColumn('wallet_locked_at', 'bigint').execute()
    await schema.alterTable('sessions').addColumn('wallet_used_at', 'bigint').execute()
  },
}
