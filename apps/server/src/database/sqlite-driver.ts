import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { DatabaseUnavailable } from './database-unavailable.ts'

/**
 * The maximum number of prepared statements. Those with generated lists vary without limit; the others are a few dozen.
 */
const PREPARED_MAXIMUM = 500

/** The write-ahead log. */
export interface SyncedLog {
  /** Flushes everything written so far to disk. */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/**
 * Runs queries and transactions one after the other on the single connection of the embedded database. A commit writes
 * to the log, and its `sync` flushes the log to disk outside the main thread while the connection runs the next query.
 * Commits during a sync share the next one. No caller sees its commit succeed before the sync.
 */
export class SqliteOneConnectionDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #log: SyncedLog
  readonly #connection: SqliteConnection
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  constructor(database: DatabaseSync, log: SyncedLog) {
    this.#database = database
    this.#log = log
    this.#connection = new SqliteConnection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((next) => this.#waiting.push(next))
    this.#isTaken = true
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const wrote = this.#connection.takeWrote()
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
    if (!wrote) return
    try {
      await this.#log.sync()
    } catch (error) {
      throw new DatabaseUnavailable(error)
    }
  }

  async beginTransaction(): Promise<void> {
    this.#connection.run('begin')
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run('commit')
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk has already ended the transaction.
    if (this.#database.isTransaction) this.#connection.run('rollback')
    this.#connection.takeWrote()
  }

  async destroy(): Promise<void> {
    this.#log.close()
    this.#database.close()
  }
}

/** A statement and its properties. */
interface PreparedStatement {
  readonly statement: StatementSync
  readonly isReadOnly: boolean
  readonly returnsRows: boolean
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, PreparedStatement>()
  #wrote = false

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, isReadOnly, returnsRows } = this.#prepare(sql)
    const bound = parameters as SQLInputValue[] // Our columns have no other types.
    return withUnavailableErrors(() => {
      if (returnsRows) {
        const rows = statement.all(...bound) as Row[] // Kysely derives Row from the query.
        if (!isReadOnly) this.#wrote = true
        return { rows }
      }
      const { changes } = statement.run(...bound)
      this.#wrote = true
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  /** In one chunk, because the database is in this process. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  run(sql: 'begin' | 'commit' | 'rollback'): void {
    withUnavailableErrors(() => this.#prepare(sql).statement.run())
  }

  /** Returns whether anything was written since the last call. */
  takeWrote(): boolean {
    const wrote = this.#wrote
    this.#wrote = false
    return wrote
  }

  #prepare(sql: string): PreparedStatement {
    const existing = this.#prepared.get(sql)
    if (existing !== undefined) return existing
    const statement = this.#database.prepare(sql)
    const returnsRows = statement.columns().length > 0
    const prepared = {
      statement,
      returnsRows,
      isReadOnly: returnsRows && /^\s*select\b/i.test(sql),
    }
    if (this.#prepared.size < PREPARED_MAXIMUM) this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** SQLite's codes for a file that cannot be written, a disk that fails, and a disk that is full. */
const UNAVAILABLE = new Set([8, 10, 13])

/** @throws DatabaseUnavailable - when the disk failed and not the statement */
function withUnavailableErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number }
    // The low byte is the primary code; the rest is the extended code.
    throw UNAVAILABLE.has(errcode & 0xff) ? new DatabaseUnavailable(error) : error
  }
}
