import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

function aDatabase() {
  const asked: (readonly unknown[])[] = []
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void asked.push([query.sql, ...query.parameters]),
  })
  return { database, asked }
}

test('4 a prepared query is built once and puts each value where the query has it, constants included', async () => {
  const { database, asked } = aDatabase()
  let built = 0
  const find = prepared(database, (id: string, at: number) => {
    built += 1
    return database
      .selectFrom('sessions')
      .select('id')
      .where('expires_at', '>', at)
      .where('method', '=', 'password')
      .where('id', '=', id)
      .where('created_at', '<', at)
  })
  await find('one', 1)
  await find('two', 2)
  const sql =
    'select "id" from "sessions" where "expires_at" > ? and "method" = ? and "id" = ? and "created_at" < ?'
  expect(asked).toEqual([
    [sql, 1, 'password', 'one', 1],
    [sql, 2, 'password', 'two', 2],
  ])
  expect(built).toBe(1)
})
