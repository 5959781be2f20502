import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { kyselyDatabase, openEmbedded } from './sqlite.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

let file: DatabaseSync
let database: Kysely<{ notes: { text: string } }>

beforeEach(() => {
  file = new DatabaseSync(':memory:')
  file.exec('create table notes (text text not null)')
  database = new Kysely({ dialect: new SqliteDialect({ database: kyselyDatabase(file) }) })
})
afterEach(() => database.destroy())

const write = (text: string) => database.insertInto('notes').values({ text }).execute()
const texts = async () =>
  (await database.selectFrom('notes').select('text').execute()).map(({ text }) => text)

test('4 SQLite syncs every commit to disk before it is acknowledged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-sqlite-'))
  const embedded = new Kysely<object>({ dialect: openEmbedded(folder).dialect })
  const { rows } =
    await sql`select synchronous, journal_mode from pragma_synchronous, pragma_journal_mode`.execute(
      embedded,
    )
  // 2 is FULL.
  expect(rows).toEqual([{ synchronous: 2, journal_mode: 'wal' }])
  await embedded.destroy()
  rmSync(folder, { recursive: true })
})

test('4 uncommitted changes are invisible: other queries wait in order', async () => {
  const seen: (readonly string[])[] = []
  const committed = database.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ text: 'one' }).execute()
    await turn()
    seen.push(['still open'])
  })
  const first = texts().then((found) => seen.push(found))
  const second = write('two')
  const third = texts().then((found) => seen.push(found))
  await Promise.all([committed, first, second, third])
  expect(seen).toEqual([['still open'], ['one'], ['one', 'two']])
})

test('4 a failed query releases the connection to the next one', async () => {
  await expect(sql`select * from absent`.execute(database)).rejects.toThrow('no such table')
  expect(await texts()).toEqual([])
})

test('a full disk fails writes with DatabaseUnavailable and rolls the transaction back', async () => {
  file.exec('pragma max_page_count = 10')
  const large = 'x'.repeat(100_000)
  await expect(write(large)).rejects.toBeInstanceOf(DatabaseUnavailable)
  const transaction = database.transaction().execute(async (begun) => {
    await begun.insertInto('notes').values({ text: 'small' }).execute()
    await begun.insertInto('notes').values({ text: large }).execute()
  })
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await texts()).toEqual([])
  await expect(sql`select missing from notes`.execute(database)).rejects.not.toBeInstanceOf(
    DatabaseUnavailable,
  )
})
