/**
 * A pool of connections to PostgreSQL that outlives the loss of any of them. A connection that is closed, or silent for
 * longer than PostgreSQL itself would take to give up, is replaced; the query on it fails with `DatabaseUnavailable`.
 */
import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** PostgreSQL's type id of `int8`, which its driver would give as text: our times and counts fit a number. */
const INT8 = 20
/** Statements kept prepared on each connection. */
const PREPARED_MAXIMUM = 500

/** How long a new connection, or a free one, is waited for. */
const CONNECT_TIMEOUT_MS = 10_000
/** When PostgreSQL cancels a statement, and ends a transaction in which nothing happens. */
const STATEMENT_TIMEOUT_MS = 10_000
/** When a connection that has not answered counts as lost: PostgreSQL would have canceled the statement by then. */
const SILENCE_TIMEOUT_MS = 12_000
const KEEP_ALIVE_MS = 10_000

const SESSION_SETTINGS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/**
 * SQLSTATE classes and codes of a server that could not do its work: connection lost, out of resources, shutting down,
 * statement canceled, idle transaction ended, lock not available.
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|25P03|55P03|58)/

/** Severities after which PostgreSQL closes the connection. */
const CLOSING = /^(?:FATAL|PANIC)$/

/** How a pool is opened. */
interface PoolOptions {
  readonly connectionString: string
  readonly connections: number
  /** Whether statements may take as long as they need, as migrations do. */
  readonly unlimited?: boolean
}

/** A pool of connections to PostgreSQL. */
export function postgresDialect({
  connectionString,
  connections,
  unlimited = false,
}: PoolOptions): Dialect {
  pg.types.setTypeParser(INT8, Number)
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool: guarded(pool, unlimited) })
}

/**
 * Gives each statement a name, by which a connection that has seen it runs it without reading and planning it anew, and
 * the time in which it must be answered.
 */
function guarded(pool: pg.Pool, unlimited: boolean): PostgresPool {
  const nameOf = statementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const lost = new WeakSet<pg.PoolClient>()
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  let silenceAt = 0

  // The pool listens to a client only while it is idle. Without this one, losing a client in use would end the process.
  pool.on('connect', (client) => client.on('error', () => lost.add(client)))

  async function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    const silence = unlimited ? undefined : setTimeout(onSilence, SILENCE_TIMEOUT_MS, client)
    try {
      const result = await client.query(query)
      answeredAt.set(client, performance.now())
      return result
    } catch (error) {
      const { code = '', severity = '' } = error instanceof pg.DatabaseError ? error : {}
      // PostgreSQL is about to close this connection. It counts as lost from here on: the rollback that follows fails too,
      // and its error replaces this one.
      if (CLOSING.test(severity)) endLost(client)
      if (lost.has(client) || UNAVAILABLE.test(code)) throw new DatabaseUnavailable(error)
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  /** Ends a connection that does not answer. Those that have not answered since are not used again either. */
  function onSilence(client: pg.PoolClient): void {
    silenceAt = performance.now()
    // With a query under way this destroys the socket, and the query fails.
    endLost(client)
  }

  /** Ends a connection, after which every query on it fails as one on a lost connection. */
  function endLost(client: pg.PoolClient): void {
    lost.add(client)
    void client.end()
  }

  function preparing(client: pg.PoolClient): PostgresPoolClient {
    const query = (sql: string, parameters: readonly unknown[]) => {
      const name = nameOf(sql)
      const values = [...parameters]
      return ask(client, name === undefined ? { text: sql, values } : { name, text: sql, values })
    }
    return {
      // Without a cursor in the dialect's options there is no other form of this call.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error)
    })
    const known = clients.get(client)
    if (known !== undefined) {
      if ((answeredAt.get(client) ?? 0) >= silenceAt) return known
      client.release(true)
      return connect()
    }
    try {
      // As statements and not as start-up parameters, which poolers such as PgBouncer refuse.
      if (!unlimited) await ask(client, { text: SESSION_SETTINGS })
    } catch (error) {
      client.release(true)
      throw error
    }
    const made = preparing(client)
    clients.set(client, made)
    return made
  }

  return { options: pool.options, end: () => pool.end(), connect }
}

/** Names for statements by their text, as long as there are few of them. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= PREPARED_MAXIMUM || !keeps(sql)) return known
    const name = `portico_${names.size}`
    names.set(sql, name)
    return name
  }
}

/**
 * Whether a statement keeps its meaning while newer nodes change the schema: one that asks for every column would fail
 * from the moment that a column is added.
 */
function keeps(sql: string): boolean {
  return /^(?:select|insert|update|delete) /.test(sql) && !sql.includes('*')
}
