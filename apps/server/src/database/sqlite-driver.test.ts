import { DatabaseSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqliteOneConnectionDriver } from './sqlite-driver.ts'

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

let syncs: (() => void)[]
let database: Kysely<{ notes: { text: string } }>

beforeEach(async () => {
  syncs = []
  const log = {
    sync: () => new Promise<void>((resolve) => syncs.push(resolve)),
    close: () => undefined,
  }
  const file = new DatabaseSync(':memory:')
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

test('4 a write is told of after its sync, and holds up nobody else until then', async () => {
  let told = false
  const written = write('one').then(() => {
    told = true
  })
  await turn()
  expect(told).toBe(false)
  expect(await texts()).toEqual(['one'])
  syncs[0]?.()
  await written
  expect(told).toBe(true)
  expect(syncs).toHaveLength(1)
})

test('4 a transaction is synced once, when it was committed; one that is rolled back or only reads is not', async () => {
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

test('4 nobody sees what a transaction has not committed: who comes meanwhile waits, in order', async () => {
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

test('4 a query that fails lets the next one on', async () => {
  await expect(sql`select * from absent`.execute(database)).rejects.toThrow('no such table')
  expect(await texts()).toEqual([])
})
