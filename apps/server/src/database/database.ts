import { type Dialect, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { MIGRATIONS } from './migrations.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** The open database. Only stores and this folder write queries. */
export type Database = Kysely<Tables>

/** Opens the configured database and brings its schema up to date; safe when several nodes start together. */
export async function openDatabase(config: Config): Promise<Database> {
  const database = new Kysely<Tables>({ dialect: await dialectOf(config) })
  try {
    const { error } = await new Migrator({
      db: database,
      provider: { getMigrations: async () => MIGRATIONS },
    }).migrateToLatest()
    if (error !== undefined) throw unopened(error)
  } catch (error) {
    await database.destroy()
    throw error
  }
  return database
}

/** What an operator can mend is told as such: no connection, no such database, no permission. */
function unopened(cause: unknown): Error {
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  if (/^(?:E[A-Z]+|28\w{3}|3D000)$/.test(code)) {
    return new ConfigError([`DATABASE_URL cannot be used: ${message || 'no connection'} (${code})`])
  }
  return new Error('The database schema could not be brought up to date', { cause })
}

async function dialectOf({ databaseUrl, databaseConnections, dataDir }: Config): Promise<Dialect> {
  if (databaseUrl === undefined) return sqliteDialect(dataDir)
  // The embedded database is there without the driver of the other.
  const { postgresDialect } = await import('./postgres.ts')
  return postgresDialect(databaseUrl, databaseConnections)
}
