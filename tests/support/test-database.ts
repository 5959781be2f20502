import { randomBytes } from 'node:crypto'
import pg from 'pg'

const SERVER_URL = process.env.PORTICO_TEST_DATABASE_URL

/** Whether this run proves things on PostgreSQL; otherwise on the embedded database. */
export const ON_POSTGRES = SERVER_URL !== undefined

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string
  readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly drop: () => Promise<void>
}

/** Makes an empty database on the run's PostgreSQL; nothing where the run is on the embedded one. */
export async function testDatabase(): Promise<TestDatabase | undefined> {
  if (SERVER_URL === undefined) return undefined
  const name = `world_${randomBytes(8).toString('hex')}`
  await query(SERVER_URL, `create database ${name} template template0`)
  const url = Object.assign(new URL(SERVER_URL), { pathname: `/${name}` }).href
  return {
    url,
    query: (sql) => query(url, sql),
    drop: async () => void (await query(SERVER_URL, `drop database ${name} with (force)`)),
  }
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return rows
  } finally {
    await client.end()
  }
}
