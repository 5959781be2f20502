import {
  CamelCasePlugin,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

function aDatabase() {
  const executed: (readonly unknown[])[] = []
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    plugins: [new CamelCasePlugin()],
    log: ({ query }) => void executed.push([query.sql, ...query.parameters]),
  })
  return { database, executed }
}

function aQuery() {
  let built = 0
  const find = prepared((database, { id, at }: { id: string; at: number }) => {
    built += 1
    return database
      .selectFrom('sessions')
      .select('id')
      .where('expiresAt', '>', at)
      .where('method', '=', 'password')
      .where('id', '=', id)
      .where('createdAt', '<', at)
  })
  return { find, built: () => built }
}

const SQL =
  'select "id" from "sessions" where "expires_at" > ? and "method" = ? and "id" = ? and "created_at" < ?'

test('4 a prepared query is built once and binds each value in its place, constants included', async () => {
  const { database, executed } = aDatabase()
  const { find, built } = aQuery()
  await find(database, { id: 'one', at: 1 })
  await find(database, { id: 'two', at: 2 })
  expect(executed).toEqual([
    [SQL, 1, 'password', 'one', 1],
    [SQL, 2, 'password', 'two', 2],
  ])
  expect(built()).toBe(1)
})

test('4 a prepared query is reused in transactions and built again for another database', async () => {
  const { database } = aDatabase()
  const other = aDatabase()
  const { find, built } = aQuery()
  for (const id of ['one', 'two']) {
    await database.transaction().execute((transaction) => find(transaction, { id, at: 1 }))
  }
  await find(database, { id: 'three', at: 1 })
  expect(built()).toBe(1)
  await find(other.database, { id: 'four', at: 1 })
  expect(other.executed).toEqual([[SQL, 1, 'password', 'four', 1]])
  expect(built()).toBe(2)
})
