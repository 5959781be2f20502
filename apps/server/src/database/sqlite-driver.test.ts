import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseUnavailable } from './database-unavailable.ts'
import { SqliteOneConnectionDriver } from './sqlite-driver.ts'

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

let syncs: (() => void)[]
let failSync: (error: Error) => void
let file: DatabaseSync
let database: Kysely<{ notes: { text: string } }>

beforeEach(async () => {
  syncs = []
  const log = {
    sync: () =>
      new Promise<void>((resolve, reject) => {
        syncs.push(resolve)
        failSync = reject
      }),
    close: () => undefined,
  }
  file = new DatabaseSync(':memory:')
  file.exec('create table notes (text text not null)')
  database = new Kysely({
    dialect: {
      createAdapter: () => new Adapter(),
      createDriver: () => new SqliteOneConnectionDriver(file, log),
      createIntrospector: (kysely) => new SqliteIntrospector(kysely),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
})
afterEach(() => database.destroy())

const write = (text: string) => database.insertInto('notes').values({ text }).execute()
const texts = async () =>
  (await database.selectFrom('notes').select('text').execute()).map(({ text }) => text)

test('4 a write resolves after its sync and does not block others until then', async () => {
  let isResolved = false
  const written = write('one').then(() => {
    isResolved = true
  })
  await turn()
  expect(isResolved).toBe(false)
  expect(await texts()).toEqual(['one'])
  syncs[0]?.()
  await written
  expect(isResolved).toBe(true)
  expect(syncs).toHaveLength(1)
})

test('4 a committed transaction is synced once; a read-only or rolled back one is not', async () => {
  const committed = database.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ text: 'one' }).execute()
    await transaction.insertInto('notes').values({ text: 'two' }).returning('text').execute()
  })
  await turn()
  expect(syncs).toHaveLength(1)
  syncs[0]?.()
  await committed
  const rolledBack = database.transaction().execute(async (transaction) => {
    await transaction.insertInto('notes').values({ text: 'three' }).execute()
    throw new Error('changed my mind')
  })
  await expect(rolledBack).rejects.toThrow('changed my mind')
  await database.transaction().execute((transaction) => sql`select 1`.execute(transaction))
  expect(await texts()).toEqual(['one', 'two'])
  expect(syncs).toHaveLength(1)
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
  await Promise.all([first, third])
  expect(seen).toEqual([['still open'], ['one'], ['one', 'two']])
  for (const sync of syncs) sync()
  await Promise.all([committed, second])
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

test('a log that cannot be synced fails the commit with DatabaseUnavailable', async () => {
  const written = write('one')
  await turn()
  failSync(new Error('ENOSPC'))
  await expect(written).rejects.toBeInstanceOf(DatabaseUnavailable)
})
