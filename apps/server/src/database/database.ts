import { CamelCasePlugin, Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Config } from '../config.ts'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { MIGRATIONS } from './migrations.ts'
import { openEmbedded } from './sqlite.ts'
import type { Tables } from './tables.ts'

/**
 * The open database. Its columns are in snake_case, their names here in camelCase. Only stores and this folder contain
 * queries.
 */
export type Database = Kysely<Tables>

const plugins = [new CamelCasePlugin()]

const copies = new WeakMap<Database, (file: string) => Promise<unknown>>()

/**
 * Returns the function that copies an embedded database during use; undefined for PostgreSQL, which has its own tools.
 */
export function copierOf(database: Database): ((file: string) => Promise<unknown>) | undefined {
  return copies.get(database)
}

/** Opens the configured database and migrates its schema; safe when several nodes start together. */
export async function openDatabase(config: Config): Promise<Database> {
  const { databaseUrl: connectionString, databaseConnections: connections, dataDir } = config
  if (connectionString === undefined) {
    const { dialect, copyTo } = openEmbedded(dataDir)
    const database = new Kysely<Tables>({ dialect, plugins })
    copies.set(database, copyTo)
    try {
      await migrate(database, config)
    } catch (error) {
      await database.destroy()
      throw error
    }
    return database
  }
  // Loaded on demand: the embedded database does not need the PostgreSQL driver.
  const { postgresDialect } = await import('./postgres.ts')
  const unlimited = postgresDialect({ connectionString, connections: 2, unlimited: true })
  const migrating = new Kysely<Tables>({ dialect: unlimited, plugins })
  try {
    await migrate(migrating, config)
  } finally {
    await migrating.destroy()
  }
  return new Kysely<Tables>({
    dialect: postgresDialect({ connectionString, connections }),
    plugins,
  })
}

async function migrate(database: Database, { version, databaseUrl }: Config): Promise<void> {
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db: database.withoutPlugins(), provider })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await assertNotNewer(database, version)
    throw openError(error, databaseUrl === undefined)
  }
  await database
    .insertInto('porticoVersions')
    .values({ version, firstUsedAt: Date.now() })
    .onConflict((conflict) => conflict.column('version').doNothing())
    .execute()
}

/** @throws ConfigError - when a newer version has migrated the schema */
async function assertNotNewer(database: Database, version: string): Promise<void> {
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name desc`
    .execute(database)
    .catch(() => ({ rows: [] })) // If this fails, the migration error is reported.
  const newest = applied.rows[0]?.name
  if (newest === undefined || newest in MIGRATIONS) return
  const versions = await database
    .selectFrom('porticoVersions')
    .select('version')
    .orderBy('firstUsedAt', 'desc')
    .execute()
    .catch(() => [])
  const newer = versions.find((used) => used.version !== version)?.version ?? 'a later build'
  throw new ConfigError([
    `The database was upgraded by a newer Portico (${newer}, schema ${newest}); this is ${version}, schema ${Object.keys(MIGRATIONS).at(-1)}. Start the newer version, or restore a backup from before the upgrade`,
  ])
}

/** Turns an error that the operator can fix into a sentence: no connection, database or permission, or a full disk. */
function openError(error: unknown, isEmbedded: boolean): Error {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  if (error instanceof DatabaseUnavailable || /^(?:E[A-Z]+|28\w{3}|3D000)$/.test(code)) {
    const reason = message || 'no connection'
    if (isEmbedded) return unusableDataDir(reason)
    return new ConfigError([
      `DATABASE_URL cannot be used: ${code === '' ? reason : `${reason} (${code})`}`,
    ])
  }
  return new Error('The database schema could not be migrated', { cause })
}
