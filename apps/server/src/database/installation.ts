import { ConfigError } from '../config-error.ts'
import type { Database } from './database.ts'
import type { InstallationTable } from './tables.ts'

type Mode = InstallationTable['mode']

/**
 * Makes the database one of a demonstration or of production, for good: the demonstration's people have passwords that
 * everybody can read, and must neither stay in a production nor come into one. A database from before the mark is what
 * its people say.
 *
 * @throws ConfigError - where it is one of the other mode
 */
export async function claimDatabase(
  database: Database,
  deps: {
    readonly mode: Mode
    readonly demonstrationEmails: readonly string[]
    readonly at: number
  },
): Promise<void> {
  const { mode, demonstrationEmails, at } = deps
  const marked = async () =>
    (await database.selectFrom('installation').select('mode').executeTakeFirst())?.mode
  let found = await marked()
  if (found === undefined) {
    const known = (await modeOfPeople(database, demonstrationEmails)) ?? mode
    // Several nodes may start together; the first one's mark stays.
    await database
      .insertInto('installation')
      .values({ id: 1, mode: known, created_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    found = await marked()
  }
  if (found === mode) return
  throw new ConfigError([
    mode === 'production'
      ? 'DATABASE_URL names a database that was a demonstration: it holds people whose passwords are public. Use an empty database for production'
      : 'NODE_ENV is not production, but the database is one of production: the demonstration would add people whose passwords are public. Set NODE_ENV=production, or use another database',
  ])
}

async function modeOfPeople(
  database: Database,
  demonstrationEmails: readonly string[],
): Promise<Mode | undefined> {
  const identities = database.selectFrom('identities').select('id')
  if ((await identities.limit(1).executeTakeFirst()) === undefined) return undefined
  const demonstration = identities.where('email', 'in', demonstrationEmails)
  return (await demonstration.limit(1).executeTakeFirst()) === undefined
    ? 'production'
    : 'demonstration'
}
