import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { ConfigError } from '../config-error.ts'
import { generatedMasterKeys } from '../secrets/vault.ts'
import { openDatabase } from './database.ts'

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

test('a database upgraded by a newer version is refused with both versions and how to fix it', async () => {
  const database = await open(folder)
  await database
    .insertInto('porticoVersions')
    .values({ version: '9.8.7', firstUsedAt: Date.now() + 1000 })
    .execute()
  const timestamp = new Date().toISOString()
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', ${timestamp})`.execute(
    database,
  )
  await database.destroy()
  const refused = await open(folder).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ConfigError)
  expect((refused as ConfigError).errors).toEqual([
    expect.stringMatching(
      /^The database was upgraded by a newer Portico \(9\.8\.7, schema 9999-later\); this is \d+\.\d+\.\d+, schema \d{4}-[a-z-]+\. Start the newer version, or restore a backup from before the upgrade$/,
    ),
  ])
})
