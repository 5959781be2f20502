import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { generatedMasterKeys } from '../secrets/vault.ts'
import { migrateDatabase, openDatabase } from './database.ts'
import { COMPATIBLE_FROM, MIGRATIONS } from './migrations.ts'
import { kyselyDatabase } from './sqlite.ts'
import type { Tables } from './tables.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-database-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (dataDir: string) => openDatabase(parseConfig({ DATA_DIR: dataDir }))

test('4 only the owner can read the database files, even in a folder that everyone can read', async () => {
  chmodSync(folder, 0o755)
  const modes = () =>
    readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777] as const)
  const database = await open(folder)
  expect(modes()).toEqual([
    ['portico.sqlite', 0o600],
    ['portico.sqlite-wal', 0o600],
  ])
  await database.destroy()

  // As an earlier version left them.
  chmodSync(join(folder, 'portico.sqlite'), 0o644)
  const again = await open(folder)
  expect(modes().every(([, mode]) => mode === 0o600)).toBe(true)
  await again.destroy()
})

test('an unusable data folder is reported in a sentence', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const unusable = join(file, 'data')
  await expect(open(unusable)).rejects.toThrow(/ - DATA_DIR cannot be used: ENOTDIR: /)
  await expect(open(unusable)).rejects.toBeInstanceOf(ConfigError)
  expect(() => generatedMasterKeys(unusable)).toThrow(/ - DATA_DIR cannot be used: ENOTDIR: /)

  writeFileSync(join(folder, 'portico.sqlite'), 'this is not a database'.repeat(100))
  await expect(open(folder)).rejects.toThrow(' - DATA_DIR cannot be used: file is not a database.')
})

/** Leaves the database as a newer version leaves it. */
async function upgrade(dataDir: string, { compatibleFrom }: { readonly compatibleFrom: string }) {
  const database = await open(dataDir)
  await database
    .insertInto('porticoVersions')
    .values({ version: '9.8.7', firstUsedAt: Date.now() + 1000, compatibleFrom })
    .execute()
  const timestamp = new Date().toISOString()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', ${timestamp})`.execute(
    database,
  )
  await database.destroy()
}

test('a database upgraded by a newer version is refused with both versions and how to fix it', async () => {
  await upgrade(folder, { compatibleFrom: '9999-later' })
  const refused = await open(folder).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigError)
  expect((refused as ConfigError).errors).toEqual([
    expect.stringMatching(
      /^The database was upgraded by a newer Portico \(9\.8\.7, schema 9999-later\); this is \d+\.\d+\.\d+, schema \d{4}-[a-z-]+\. Start the newer version, or restore a backup from before the upgrade$/,
    ),
  ])
})

test('10 F1 this version starts on the schema of a newer one that is compatible with it', async () => {
  const newest = Object.keys(MIGRATIONS).at(-1) ?? ''
  await upgrade(folder, { compatibleFrom: newest })
  const database = await open(folder)
  expect(await database.selectFrom('sessions').select('id').execute()).toEqual([])
  await database.destroy()
})

test('10 F1 with MIGRATE=separately a node refuses to start until the database is migrated', async () => {
  const config = parseConfig({ DATA_DIR: folder, MIGRATE: 'separately' })
  await expect(openDatabase(config)).rejects.toThrow(
    /lacks migrations of this version .*0001-baseline.*npm run migrate/,
  )
  const command = { ...config, migratesSeparately: false }
  expect(await migrateDatabase(command)).toEqual(Object.keys(MIGRATIONS))
  expect(await migrateDatabase(command)).toEqual([])
  await (await openDatabase(config)).destroy()
})

test('10 F1 migrations with which earlier versions must work only add tables and optional columns', async () => {
  const names = Object.keys(MIGRATIONS)
  expect(names).toContain(COMPATIBLE_FROM)
  const database = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: kyselyDatabase(new DatabaseSync(':memory:')) }),
  })
  const columns = async () =>
    new Map(
      (await database.introspection.getTables()).flatMap((table) =>
        table.columns.map((column) => [`${table.name}.${column.name}`, column] as const),
      ),
    )
  let before: Awaited<ReturnType<typeof columns>> | undefined
  for (const [name, { up }] of Object.entries(MIGRATIONS)) {
    await up(database)
    const after = await columns()
    if (before !== undefined) {
      const tables = new Set([...before.keys()].map((key) => key.split('.')[0]))
      const required = [...after].filter(
        ([key, { isNullable, hasDefaultValue }]) =>
          before?.has(key) !== true &&
          tables.has(key.split('.')[0]) &&
          !isNullable &&
          !hasDefaultValue,
      )
      expect({ name, removed: [...before.keys()].filter((key) => !after.has(key)) }).toEqual({
        name,
        removed: [],
      })
      expect({ name, required: required.map(([key]) => key) }).toEqual({ name, required: [] })
    }
    if (name >= COMPATIBLE_FROM) before = after
  }
  await database.destroy()
})

test('8 counters of networks from before the upgrade belong to their address', async () => {
  const database = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: kyselyDatabase(new DatabaseSync(':memory:')) }),
    plugins: [new CamelCasePlugin()],
  })
  const counter = { windowStartedAt: 1, count: 1, lockedUntil: 0, refused: 0 }
  for (const [name, { up }] of Object.entries(MIGRATIONS)) {
    if (name === '0040-query-indexes') {
      await sql`insert into attempts (key, window_started_at, count, locked_until, refused)
        values ('address abc', 1, 1, 0, 0), ('network 192.0.2.1 address abc', 1, 1, 0, 0)`.execute(
        database,
      )
    }
    await up(database.withoutPlugins())
  }
  const rows = await database.selectFrom('attempts').selectAll().orderBy('key').execute()
  expect(rows).toEqual([
    { ...counter, key: 'address abc', addressName: null },
    { ...counter, key: 'network 192.0.2.1 address abc', addressName: 'address abc' },
  ])
  await database.destroy()
})
