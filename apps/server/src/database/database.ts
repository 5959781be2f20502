import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CamelCasePlugin, Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Config } from '../config.ts'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import type { DatabaseMetrics } from './metrics.ts'
import { COMPATIBLE_FROM, MIGRATIONS } from './migrations.ts'
import { EMBEDDED_FILE, openEmbedded } from './sqlite.ts'
import type { Tables } from './tables.ts'

/**
 * The open database. Its columns are in snake_case, their names here in camelCase. Only stores and this folder contain
 * queries.
 */
export type Database = Kysely<Tables>

const plugins = [new CamelCasePlugin()]

const copies = new WeakMap<Database, (file: string) => Promise<unknown>>()

/**
 * Returns a function that copies an embedded database while it is in use; undefined for PostgreSQL, which has its own tools.
 */
export function copierOf(database: Database): ((file: string) => Promise<unknown>) | undefined {
  return copies.get(database)
}

/**
 * Opens the configured database and migrates its schema, unless `MIGRATE` leaves that to `npm run migrate`. Safe when
 * several nodes start together.
 *
 * @throws ConfigError - when the database cannot be used, or its schema is incompatible with this version
 */
export async function openDatabase(config: Config, metrics?: DatabaseMetrics): Promise<Database> {
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
  await migrateDatabase(config)
  // Loaded on demand: the embedded database does not need the PostgreSQL driver.
  const { postgresDialect } = await import('./postgres.ts')
  return new Kysely<Tables>({
    dialect: postgresDialect({ connectionString, connections, metrics }),
    plugins,
  })
}

/**
 * Opens the configured database for an operator's command.
 *
 * @throws ConfigError - when there is no embedded database yet: without the server's keys it could not be used later
 */
export async function openExistingDatabase(config: Config): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !existsSync(join(dataDir, EMBEDDED_FILE))) {
    throw new ConfigError([`There is no database in ${dataDir}. Start the server first`])
  }
  return openDatabase(config)
}

/**
 * Migrates the configured database and closes it.
 *
 * @returns the names of the migrations that were applied
 * @throws ConfigError - as `openDatabase`
 */
export async function migrateDatabase(config: Config): Promise<readonly string[]> {
  const { databaseUrl: connectionString, dataDir } = config
  const dialect =
    connectionString === undefined
      ? openEmbedded(dataDir).dialect
      : (await import('./postgres.ts')).postgresDialect({
          connectionString,
          connections: 2,
          unlimited: true,
        })
  const database = new Kysely<Tables>({ dialect, plugins })
  try {
    return await migrate(database, config)
  } finally {
    await database.destroy()
  }
}

async function migrate(database: Database, config: Config): Promise<readonly string[]> {
  const { version, databaseUrl } = config
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db: database.withoutPlugins(), provider })
  const asOpenError = (error: unknown) => openError(error, databaseUrl === undefined)
  const states = await migrator.getMigrations().catch((error: unknown) => {
    throw asOpenError(error)
  })
  const missing = states.filter(({ executedAt }) => executedAt === undefined)
  if (missing.length === 0) {
    await assertCompatible(database, version)
  } else if (config.migratesSeparately) {
    throw new ConfigError([
      `The database lacks migrations of this version (${version}): ${missing.map(({ name }) => name).join(', ')}. Run \`npm run migrate\`, or start with MIGRATE=at-start`,
    ])
  } else {
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) {
      await assertCompatible(database, version)
      throw asOpenError(error)
    }
  }
  await database
    .insertInto('porticoVersions')
    .values({ version, firstUsedAt: Date.now(), compatibleFrom: COMPATIBLE_FROM })
    // Builds of one version share a row.
    .onConflict((conflict) =>
      conflict
        .column('version')
        .doUpdateSet({ compatibleFrom: COMPATIBLE_FROM })
        .where(({ eb, or }) =>
          or([
            eb('porticoVersions.compatibleFrom', 'is', null),
            eb('porticoVersions.compatibleFrom', '<', COMPATIBLE_FROM),
          ]),
        ),
    )
    .execute()
  return missing.map(({ name }) => name)
}

/** @throws ConfigError - when a newer version has migrated the schema beyond what this version supports */
async function assertCompatible(database: Database, version: string): Promise<void> {
  const applied = await sql<{ name: string }>`select name from kysely_migration order by name desc`
    .execute(database)
    .catch(() => ({ rows: [] })) // If this fails too, the migration error is reported.
  const newest = applied.rows[0]?.name
  if (newest === undefined || newest in MIGRATIONS) return
  const versions = await database
    .selectFrom('porticoVersions')
    .select(['version', 'compatibleFrom'])
    .orderBy('firstUsedAt', 'desc')
    .execute()
    .catch(() => [])
  const ours = Object.keys(MIGRATIONS).at(-1) ?? ''
  const compatibleFrom = versions
    .flatMap((used) => used.compatibleFrom ?? [])
    .sort()
    .at(-1)
  if (compatibleFrom !== undefined && compatibleFrom <= ours) return
  const newer = versions.find((used) => used.version !== version)?.version ?? 'a later build'
  throw new ConfigError([
    `The database was upgraded by a newer Portico (${newer}, schema ${newest}); this is ${version}, schema ${ours}. Start the newer version, or restore a backup from before the upgrade`,
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
