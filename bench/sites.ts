import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DEMONSTRATION_PEOPLE } from '@portico/server/demonstration-people'
import pg from 'pg'
import { type Browser, openBrowser } from '../tests/support/browser.ts'
import { startPostgres, type TestPostgres } from '../tools/machine/postgres.ts'
import { SERVER_FLAGS } from '../tools/setup/server-flags.mjs'
import { type Child, child } from './child.ts'
import { anotherNetwork } from './load.ts'
import { type Engine, SEEDS } from './seeds.ts'

/** An installation with people. */
export type Site = AsyncDisposable & {
  readonly engine: Engine
  readonly environment: Readonly<Record<string, string>>
  /** The stored hash of the common password. */
  readonly passwordHash: string
  readonly password: string
  readonly serve: () => Promise<Product>
  /** Runs statements on its database while it is not served. */
  readonly execute: (statements: readonly string[]) => Promise<void>
  readonly query: <Row>(statement: string) => Promise<Row[]>
  /** The size of its database on disk in bytes, including indexes. */
  readonly storedBytes: () => Promise<number>
}

/** The product in a separate process. */
export type Product = {
  /** Advances its clock. */
  readonly pass: (ms: number) => Promise<void>
} & Served

/** A server that reports its processor time. */
export type Served = AsyncDisposable & {
  readonly port: number
  readonly pid: number
  /** Processor time used so far, in milliseconds. */
  readonly processorMs: () => Promise<number>
}

const DATABASE_FILE = 'portico.sqlite'

const PERSON = DEMONSTRATION_PEOPLE.find(
  ({ password, locked }) => password !== undefined && !locked,
)

/** Creates and fills an installation. People are inserted in bulk, because hashing in the product would take hours. */
export async function aSite(engine: Engine, identities: number): Promise<Site> {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-bench-'))
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    BOT_CHECK: 'off',
    // Every request claims another network, as behind a load balancer.
    TRUSTED_PROXIES: '127.0.0.1',
    MASTER_KEY: randomBytes(32).toString('base64'),
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
  }
  const serve = async (): Promise<Product> => {
    const server = child('product-process.ts', { environment, node: SERVER_FLAGS })
    const { port } = await server.receive<{ port: number }>()
    return {
      port,
      pid: server.pid,
      processorMs: () => processorMs(server),
      pass: async (ms) => void (await server.ask({ pass: ms })),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  }
  // The first start creates the schema and the demonstration people.
  await (await serve())[Symbol.asyncDispose]()
  const passwordHash = await seed(postgres, folder, identities)
  return {
    engine,
    environment,
    passwordHash,
    password: PERSON?.password ?? '',
    serve,
    execute: (statements) => execute(postgres, folder, statements),
    query: (statement) => query(postgres, folder, statement),
    storedBytes: () => (postgres === undefined ? fileBytes(folder) : databaseBytes(postgres)),
    async [Symbol.asyncDispose]() {
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function seed(
  postgres: TestPostgres | undefined,
  folder: string,
  identities: number,
): Promise<string> {
  const find = `select password_hash from identities where email = '${PERSON?.email}'`
  if (postgres === undefined) {
    const database = new DatabaseSync(path.join(folder, DATABASE_FILE))
    try {
      const row = database.prepare(find).get() as { password_hash: string }
      for (const statement of SEEDS.embedded(identities, row.password_hash))
        database.exec(statement)
      return row.password_hash
    } finally {
      database.close()
    }
  }
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ password_hash: string }>(find)
    const hash = rows[0]?.password_hash ?? ''
    for (const statement of SEEDS.PostgreSQL(identities, hash)) await client.query(statement)
    return hash
  } finally {
    await client.end()
  }
}

async function execute(
  postgres: TestPostgres | undefined,
  folder: string,
  statements: readonly string[],
): Promise<void> {
  if (postgres === undefined) {
    const database = new DatabaseSync(path.join(folder, DATABASE_FILE))
    for (const statement of statements) database.exec(statement)
    database.close()
    return
  }
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

async function query<Row>(
  postgres: TestPostgres | undefined,
  folder: string,
  statement: string,
): Promise<Row[]> {
  if (postgres === undefined) {
    const database = new DatabaseSync(path.join(folder, DATABASE_FILE))
    const rows = database.prepare(statement).all()
    database.close()
    return rows as Row[]
  }
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return rows as Row[]
}

/** A browser without a screen, on another network than the others. */
export function browserAt(port: number): Browser {
  const url = () => `http://127.0.0.1:${port}`
  const passcode = () => Promise.reject(new Error('This browser signs in by password'))
  return openBrowser({ url, origin: url, passcode, headers: anotherNetwork() })
}

async function fileBytes(folder: string): Promise<number> {
  return statSync(path.join(folder, DATABASE_FILE)).size
}

async function databaseBytes({ url }: TestPostgres): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: string }>(
      'select pg_database_size(current_database()) as bytes',
    )
    return Number(rows[0]?.bytes)
  } finally {
    await client.end()
  }
}

/** A bare server with the same library. */
export async function emptyServer(): Promise<Served> {
  const server = child('empty-process.ts')
  const { port } = await server.receive<{ port: number }>()
  return {
    port,
    pid: server.pid,
    processorMs: () => processorMs(server),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

async function processorMs(asked: Child): Promise<number> {
  const { user, system } = await asked.ask<NodeJS.CpuUsage>({})
  return (user + system) / 1000
}
