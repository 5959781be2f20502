import { ConfigError } from '../config-error.ts'
import type { Database } from './database.ts'
import type { InstallationTable } from './tables.ts'

type Mode = InstallationTable['mode']

/** The domain of the demonstration's users. The top-level domain is reserved (RFC 2606), so no customer has it. */
const DEMONSTRATION_EMAILS = '%@portico.example'

/**
 * Marks the database permanently as demonstration or production. Demonstration users have public passwords and must never
 * exist in production. The mode of an unmarked database is inferred from its users.
 *
 * @throws ConfigError - when the database belongs to the other mode
 */
export async function claimDatabase(
  database: Database,
  { mode, at }: { readonly mode: Mode; readonly at: number },
): Promise<void> {
  const readMode = async () =>
    (await database.selectFrom('installation').select('mode').executeTakeFirst())?.mode
  let stored = await readMode()
  if (stored === undefined) {
    const initial = (await modeOfUsers(database)) ?? mode
    // If several nodes start together, the first one decides.
    await database
      .insertInto('installation')
      .values({ id: 1, mode: initial, createdAt: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    stored = await readMode()
  }
  if (stored === mode) return
  throw new ConfigError([
    mode === 'production'
      ? 'The database in DATABASE_URL belongs to a demonstration, with users that have public passwords. Use an empty database for production'
      : 'NODE_ENV is not production, but the database belongs to production. The demonstration would add users with public passwords. Set NODE_ENV=production, or use another database',
  ])
}

async function modeOfUsers(database: Database): Promise<Mode | undefined> {
  const identities = database.selectFrom('identities').select('id')
  if ((await identities.limit(1).executeTakeFirst()) === undefined) return undefined
  const demonstration = identities.where('email', 'like', DEMONSTRATION_EMAILS)
  return (await demonstration.limit(1).executeTakeFirst()) === undefined
    ? 'production'
    : 'demonstration'
}
