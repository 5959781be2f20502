import { randomBytes } from 'node:crypto'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '@portico/server/config'
import pg from 'pg'
import { temporaryFolder } from './temporary-folder.ts'

const SERVER_URL = process.env.PORTICO_TEST_DATABASE_URL

/** Whether this run uses PostgreSQL; otherwise the embedded database. */
export const ON_POSTGRES = SERVER_URL !== undefined

/** A database for one test. */
export interface TestDatabase {
  readonly name: string
  readonly url: string
  readonly query: (sql: string) => Promise<readonly Record<string, unknown>[]>
  readonly drop: () => Promise<void>
}

/** Creates a database on the run's PostgreSQL, empty by default; undefined if the run uses the embedded database. */
export async function testDatabase({
  template = 'template0',
} = {}): Promise<TestDatabase | undefined> {
  if (SERVER_URL === undefined) return undefined
  const name = `world_${randomBytes(8).toString('hex')}`
  await query(SERVER_URL, `create database ${name} template ${template}`)
  const url = Object.assign(new URL(SERVER_URL), { pathname: `/${name}` }).href
  return {
    name,
    url,
    query: (sql) => query(url, sql),
    drop: async () => void (await query(SERVER_URL, `drop database ${name} with (force)`)),
  }
}

/**
 * Queries the embedded database of a data folder. The server has an exclusive lock, so this reads a copy, including the
 * write-ahead log.
 */
export async function queryEmbedded(
  dataDir: string,
  sql: string,
): Promise<readonly Record<string, unknown>[]> {
  using copy = temporaryFolder()
  for (const name of readdirSync(dataDir).filter((each) =>
    /^portico\.sqlite(?:-wal)?$/.test(each),
  )) {
    copyFileSync(join(dataDir, name), join(copy.path, name))
  }
  const database = new DatabaseSync(join(copy.path, 'portico.sqlite'))
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

/** Runs SQL statements on the empty database of a configuration, before any server has opened it. */
export async function restoreDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  statements: readonly string[],
): Promise<void> {
  if (databaseUrl !== undefined) {
    await query(databaseUrl, statements.join(';\n'))
    return
  }
  const database = new DatabaseSync(join(dataDir, 'portico.sqlite'))
  try {
    database.exec(statements.join(';\n'))
  } finally {
    database.close()
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
