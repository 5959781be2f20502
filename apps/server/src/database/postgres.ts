/**
 * A pool of connections to PostgreSQL that survives lost connections. A connection that is closed, or silent for longer
 * than PostgreSQL's own statement timeout, is replaced; its query fails with `DatabaseUnavailable`, and its outcome is unknown.
 * While writes get no response, reads have connections of their own.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { resultWithin } from '../redis/redis.ts'
import { backendKeyOf, cancelStatement } from './cancel-statement.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'
import type { DatabaseMetrics } from './metrics.ts'
import { type WritePlace, writePlaces } from './write-places.ts'

/** The type id of `int8`. The driver returns it as text by default, but our times and counts fit into a number. */
const INT8 = 20
/** The maximum number of prepared statements per connection. */
const MAX_PREPARED = 500

/** How long to wait for a new or idle connection: longer than a standby takes to be promoted. */
const CONNECT_TIMEOUT_MS = 10_000
/** How often to retry while the server refuses connections. */
const RECONNECT_DELAY_MS = 100
const ATTEMPT_TIMEOUT_MS = 2000
/** After this time PostgreSQL cancels a statement or ends an idle transaction. */
const STATEMENT_TIMEOUT_MS = 10_000
/**
 * After this time without a response a connection counts as lost, because PostgreSQL would have canceled the statement.
 */
const SILENCE_TIMEOUT_MS = 12_000
const KEEP_ALIVE_MS = 10_000

/**
 * Behind a pooler in transaction mode, such as PgBouncer, they apply to a connection that any transaction may get next. That does
 * no harm, because all have the same settings.
 */
const SESSION_SETTINGS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/**
 * SQLSTATE classes and codes of an unavailable server: connection lost, out of resources, shutting down, statement
 * canceled, idle transaction ended, deadlock, lock not available.
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|25P03|40P01|55P03|58)/

/** SQLSTATE of a statement that took too long. */
const CANCELED = '57014'
/** SQLSTATE of a write to a standby, or to a primary that became one. */
const READ_ONLY = '25006'

/** The function of PostgreSQL that waits for a synchronous standby. */
const STANDBY_WAIT = 'SyncRepWaitForLSN'

/** Statements that wait neither for the disk nor for another transaction. */
const READING = /^(?:begin|rollback|select|set|show|start)\b(?!.*\bfor (?:no key )?update\b)/is

/** Severities after which PostgreSQL closes the connection. */
const CLOSING = /^(?:FATAL|PANIC)$/

interface PoolOptions {
  readonly connectionString: string
  readonly connections: number
  readonly metrics?: DatabaseMetrics | undefined
  /** For migrations: disables statement timeouts, and does not wait for a server that refuses connections. */
  readonly unlimited?: boolean
}

export function postgresDialect({
  connectionString,
  connections,
  metrics,
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
  metrics?.addPool(pool)
  return new PostgresDialect({
    pool: withStatementsAndTimeouts(pool, { connections, unlimited, metrics }),
  })
}

/** Adds prepared statements and timeouts to a pool. A named statement is parsed and planned once per connection. */
function withStatementsAndTimeouts(
  pool: pg.Pool,
  {
    connections,
    unlimited,
    metrics,
  }: {
    readonly connections: number
    readonly unlimited: boolean
    readonly metrics: DatabaseMetrics | undefined
  },
): PostgresPool {
  const statementName = statementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const lostClients = new WeakSet<pg.PoolClient>()
  const pooledClients = new WeakSet<pg.PoolClient>()
  const silentClients = new WeakSet<pg.PoolClient>()
  const answeredAt = new WeakMap<pg.PoolClient, number>()
  const places = unlimited ? undefined : writePlaces(connections)
  let silenceAt = 0

  // The pool listens for errors only on idle clients. Without this listener, losing a client in use would end the
  // process.
  pool.on('connect', (client) => {
    client.on('error', () => lostClients.add(client))
    // PostgreSQL reports a commit as successful if its wait for the standby is canceled. A failover could still undo it.
    client.on('notice', ({ routine }) => {
      if (routine === STANDBY_WAIT) discard(client)
    })
  })

  async function runQuery(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
    const silence = unlimited ? undefined : setTimeout(onSilence, SILENCE_TIMEOUT_MS, client)
    try {
      const result = await client.query(query)
      if (lostClients.has(client)) throw new Error('The outcome of the statement is unknown')
      answeredAt.set(client, performance.now())
      return result
    } catch (error) {
      const { code = '', severity = '' } = error instanceof pg.DatabaseError ? error : {}
      // PostgreSQL is about to close this connection. It counts as lost from now on, because the following rollback
      // fails as well and its error replaces this one.
      if (CLOSING.test(severity)) discard(client)
      // The next connection may reach the server that is primary now.
      if (code === READ_ONLY) discard(client)
      if (code === CANCELED) metrics?.countError('statement-timeout')
      else if (silentClients.has(client)) metrics?.countError('no-response')
      else if (lostClients.has(client)) metrics?.countError('connection-lost')
      if (lostClients.has(client) || UNAVAILABLE.test(code)) throw new DatabaseUnavailable(error)
      throw error
    } finally {
      clearTimeout(silence)
    }
  }

  /**
   * Ends a silent connection. Others that have not responded since then are not reused either. Its statement is canceled: a
   * commit that waits for a standby would otherwise occupy the server's connection, without a timeout, until that is back. The
   * socket is destroyed first, because PostgreSQL reports a canceled commit as successful.
   */
  function onSilence(client: pg.PoolClient): void {
    silenceAt = performance.now()
    silentClients.add(client)
    // With a query in progress this destroys the socket, and the query fails.
    discard(client)
    cancelStatement(client)
  }

  /** Ends a connection; its queries fail with `DatabaseUnavailable`. */
  function discard(client: pg.PoolClient): void {
    lostClients.add(client)
    void client.end()
  }

  function preparingClient(client: pg.PoolClient): PostgresPoolClient {
    let place: Promise<WritePlace | undefined> | undefined
    const query = async (sql: string, parameters: readonly unknown[]) => {
      // A transaction keeps its place for all its statements, so that it never waits for one while others wait for its locks.
      if (places !== undefined && !READING.test(sql)) {
        place ??= places.take()
        if ((await place) === undefined) {
          metrics?.countError('writes-stalled')
          throw new DatabaseUnavailable(new Error('Too many writes wait for PostgreSQL'))
        }
      }
      const name = pooledClients.has(client) ? undefined : statementName(sql)
      const values = [...parameters]
      return runQuery(
        client,
        name === undefined ? { text: sql, values } : { name, text: sql, values },
      )
    }
    return {
      // The dialect uses other overloads only with a cursor, which is not configured.
      query: query as unknown as PostgresPoolClient['query'],
      release: (destroy) => {
        const outcome = lostClients.has(client) ? 'lost' : 'answered'
        void place?.then((taken) => taken?.release(outcome))
        place = undefined
        client.release(destroy)
      },
    }
  }

  /**
   * Whether a pooler answers for PostgreSQL. It may give each transaction another connection, where a statement that was
   * prepared earlier does not exist.
   */
  async function isPooled(client: pg.PoolClient): Promise<boolean> {
    const { rows } = await runQuery(client, { text: 'select pg_backend_pid() as pid' })
    return rows[0]?.pid !== backendKeyOf(client).processID
  }

  /** Sets the timeouts. A standby, which may have been reached before it is promoted, counts as unavailable. */
  async function prepareSession(client: pg.PoolClient): Promise<void> {
    await runQuery(client, { text: SESSION_SETTINGS })
    const { rows } = await runQuery(client, { text: 'show transaction_read_only' })
    if (rows[0]?.transaction_read_only === 'on') {
      throw new DatabaseUnavailable(new Error('The server is read-only'))
    }
  }

  async function tryToConnect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnavailable(error)
    })
    const existing = clients.get(client)
    if (existing !== undefined) {
      if ((answeredAt.get(client) ?? 0) >= silenceAt && !lostClients.has(client)) return existing
      client.release(true)
      return tryToConnect()
    }
    try {
      // Set by statement, because poolers such as PgBouncer refuse startup parameters.
      if (!unlimited) await prepareSession(client)
      if (await isPooled(client)) pooledClients.add(client)
    } catch (error) {
      client.release(true)
      throw error
    }
    const wrapped = preparingClient(client)
    clients.set(client, wrapped)
    return wrapped
  }

  /**
   * Connects. Waits while no server accepts connections, so that requests during a failover do not fail. One waiting request
   * retries on behalf of all.
   */
  async function connect(): Promise<PostgresPoolClient> {
    const startedAt = performance.now()
    const remainingMs = () => startedAt + CONNECT_TIMEOUT_MS - performance.now()
    for (;;) {
      if (outage !== undefined) await resultWithin(remainingMs(), outage)
      try {
        if (remainingMs() <= 0) throw new DatabaseUnavailable(new Error('No server is available'))
        const client = await tryToConnect()
        metrics?.observeWait((performance.now() - startedAt) / 1000)
        return client
      } catch (error) {
        if (unlimited || ending.signal.aborted || isPermanent(error) || remainingMs() <= 0) {
          metrics?.countError('no-connection')
          throw error
        }
        outage ??= untilConnected().finally(() => {
          outage = undefined
        })
      }
    }
  }

  async function untilConnected(): Promise<void> {
    while (!ending.signal.aborted) {
      await wait(RECONNECT_DELAY_MS, undefined, { ref: false })
      const attempt = tryToConnect().then((client) => {
        client.release()
        return true
      })
      // A silent server must not delay the next attempt, which may reach another one.
      if ((await resultWithin(ATTEMPT_TIMEOUT_MS, attempt)) === true) return
    }
  }

  let outage: Promise<void> | undefined
  const ending = new AbortController()
  const end = () => {
    ending.abort()
    return pool.end()
  }
  return { options: pool.options, end, connect }
}

/** Whether waiting cannot help: the user, password or database is wrong. */
function isPermanent(error: unknown): boolean {
  const { code = '' } =
    error instanceof DatabaseUnavailable ? (error.cause as { code?: string }) : {}
  return !(error instanceof DatabaseUnavailable) || /^(?:28|3D)/.test(code)
}

/** Assigns names to statements by their text, up to a maximum. */
function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    const existing = names.get(sql)
    if (existing !== undefined || names.size >= MAX_PREPARED || !canStayPrepared(sql))
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
