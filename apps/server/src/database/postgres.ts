/**
 * A pool of connections to PostgreSQL that survives lost connections. A connection that is closed, or silent for longer
 * than PostgreSQL's own statement timeout, is replaced; its query fails with `DatabaseUnavailable`.
 */
import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** The type id of `int8`. The driver returns it as text by default, but our times and counts fit into a number. */
const INT8 = 20
/** The maximum number of prepared statements per connection. */
const PREPARED_MAXIMUM = 500

/** How long to wait for a new or idle connection. */
const CONNECT_TIMEOUT_MS = 10_000
/** After this time PostgreSQL cancels a statement or ends an idle transaction. */
const STATEMENT_TIMEOUT_MS = 10_000
/**
 * After this time without a response a connection counts as lost, because PostgreSQL would have canceled the statement.
 */
const SILENCE_TIMEOUT_MS = 12_000
const KEEP_ALIVE_MS = 10_000

const SESSION_SETTINGS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/**
 * SQLSTATE classes and codes of an unavailable server: connection lost, out of resources, shutting down, statement
 * canceled, idle transaction ended, deadlock, lock not available.
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|25P03|40P01|55P03|58)/

/** Severities after which PostgreSQL closes the connection. */
const CLOSING = /^(?:FATAL|PANIC)$/

interface PoolOptions {
  readonly connectionString: string
  readonly connections: number
  /** Disables statement timeouts, for migrations. */
  readonly unlimited?: boolean
}

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
  // The pool replaces a broken idle connection; without a listener the error would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool: withStatementsAndTimeouts(pool, unlimited) })
}

/** Adds prepared statements and timeouts to a pool. A named statement is parsed and planned once per connection. */
function withStatementsAndTimeouts(pool: pg.Pool, unlimited: boolean): PostgresPool {
  const statementName = statementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const lostClients = new WeakSet<pg.PoolClient>()
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  let silenceAt = 0

  // The pool listens for errors only on idle clients. Without this listener, losing a client in use would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => lostClients.add(client)))

  async function runQuery(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    const silence = unlimited ? undefined : setTimeout(onSilence, SILENCE_TIMEOUT_MS, client)
    try {
      const result = await client.query(query)
      answeredAt.set(client, performance.now())
      return result
    } catch (error) {
      const { code = '', severity = '' } = error instanceof pg.DatabaseError ? error : {}
      // PostgreSQL is about to close this connection. It counts as lost from now on, because the following rollback
      // fails as well and its error replaces this one.
      if (CLOSING.test(severity)) discard(client)
      if (lostClients.has(client) || UNAVAILABLE.test(code)) throw new DatabaseUnavailable(error)
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  /** Ends a silent connection. Others that have not responded since then are not reused either. */
  function onSilence(client: pg.PoolClient): void {
    silenceAt = performance.now()
    // With a query in progress this destroys the socket, and the query fails.
    discard(client)
  }

  /** Ends a connection; its queries fail with `DatabaseUnavailable`. */
  function discard(client: pg.PoolClient): void {
    lostClients.add(client)
    void client.end()
  }

  function preparingClient(client: pg.PoolClient): PostgresPoolClient {
    const query = (sql: string, parameters: readonly unknown[]) => {
      const name = statementName(sql)
      const values = [...parameters]
      return runQuery(
        client,
        name === undefined ? { text: sql, values } : { name, text: sql, values },
      )
    }
    return {
      // The dialect uses other overloads only with a cursor, which is not configured.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => client.release(destroy),
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error)
    })
    const existing = clients.get(client)
    if (existing !== undefined) {
      if ((answeredAt.get(client) ?? 0) >= silenceAt) return existing
      client.release(true)
      return connect()
    }
    try {
      // Set by statement, because poolers such as PgBouncer refuse startup parameters.
      if (!unlimited) await runQuery(client, { text: SESSION_SETTINGS })
    } catch (error) {
      client.release(true)
      throw error
    }
    const wrapped = preparingClient(client)
    clients.set(client, wrapped)
    return wrapped
  }

  return { options: pool.options, end: () => pool.end(), connect }
}

/** Assigns names to statements by their text, up to a maximum. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const existing = names.get(sql)
    if (existing !== undefined || names.size >= PREPARED_MAXIMUM || !canStayPrepared(sql))
      return existing
    const name = `portico_${names.size}`
    names.set(sql, name)
    return name
  }
}

/**
 * Whether a statement can stay prepared while newer nodes migrate the schema. One that selects `*` would fail as soon
 * as a column is added.
 */
function canStayPrepared(sql: string): boolean {
  return /^(?:select|insert|update|delete) /.test(sql) && !sql.includes('*')
}
