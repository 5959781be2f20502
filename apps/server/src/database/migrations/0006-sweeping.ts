import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes to find expired rows. */
export const sweeping: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const [table, time] of [
      ['counters', 'window_started_at'],
      ['guesses', 'window_started_at'],
      ['messages', 'created_at'],
      ['registrations', 'expires_at'],
      ['single_uses', 'expires_at'],
    ] as const) {
      await schema.createIndex(`${table}_sweep`).on(table).column(time).execute()
    }
  },
}
