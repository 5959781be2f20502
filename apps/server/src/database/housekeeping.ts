import type { Database } from './database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes what has no use any more. Audit events and identities stay. */
export async function sweep(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('passcodes')
    .where('expires_at', '<', now - DAY_MS)
    .execute()
  for (const table of ['factor_codes', 'factor_logins', 'passkey_challenges'] as const) {
    await database
      .deleteFrom(table)
      .where('expires_at', '<', now - DAY_MS)
      .execute()
  }
  await database
    .deleteFrom('approvals')
    .where('expires_at', '<', now - DAY_MS)
    .execute()
  await database.deleteFrom('wallet_nonces').where('expires_at', '<', now).execute()
  await database.deleteFrom('registrations').where('expires_at', '<', now).execute()
  await database.deleteFrom('short_links').where('expires_at', '<', now).execute()
  await database.deleteFrom('single_uses').where('expires_at', '<', now).execute()
  await database
    .deleteFrom('counters')
    .where('window_started_at', '<', now - 2 * DAY_MS)
    .execute()
  await database
    .deleteFrom('guesses')
    .where('window_started_at', '<', now - DAY_MS)
    .where('wait_until', '<', now)
    .execute()
  await database
    .deleteFrom('sessions')
    .where('expires_at', '<', now - 30 * DAY_MS)
    .execute()
  await database
    .deleteFrom('messages')
    .where('created_at', '<', now - 30 * DAY_MS)
    .execute()
}
