import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** Statements kept prepared. Those with generated lists differ endlessly; the rest are a few dozen. */
const PREPARED_MAXIMUM = 500

/** Where commits are written first. */
export interface SyncedLog {
  /** Brings what was written so far to the disk. */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/**
 * Runs queries on the one connection of the embedded database, one piece of work after the other: a query by itself, or
 * a transaction. A commit writes to the log; its `sync` brings it to the disk, away from our thread, while the
 * connection goes on to the next: whoever commits in the meantime shares the sync after it. Nobody hears of a commit
 * before its sync.
 */
export class SqliteOneConnectionDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #log: SyncedLog
  readonly #connection: SqliteConnection
  readonly #waiting: (() => void)[] = []
  #taken = false

  constructor(database: DatabaseSync, log: SyncedLog) {
    this.#database = database
    this.#log = log
    this.#connection = new SqliteConnection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((next) => this.#waiting.push(next))
    this.#taken = true
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const wrote = this.#connection.takeWrote()
    const next = this.#waiting.shift()
    if (next === undefined) this.#taken = false
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
    // A full disk has ended the transaction already.
    if (this.#database.isTransaction) this.#connection.run('rollback')
    this.#connection.takeWrote()
  }

  async destroy(): Promise<void> {
    this.#log.close()
    this.#database.close()
  }
}

/** A statement, and what is known of it beforehand. */
interface Prepared {
  readonly statement: StatementSync
  readonly reads: boolean
  readonly answersRows: boolean
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  #wrote = false

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, reads, answersRows } = this.#prepare(sql)
    const bound = parameters as SQLInputValue[] // The columns have no other types.
    return attempted(() => {
      if (answersRows) {
        const rows = statement.all(...bound) as Row[] // What the query says it selects.
        if (!reads) this.#wrote = true
        return { rows }
      }
      const { changes } = statement.run(...bound)
      this.#wrote = true
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  /** All in one piece: what is in this process needs no fetching bit by bit. */
  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query)
  }

  /** Begins or ends a transaction. */
  run(sql: 'begin' | 'commit' | 'rollback'): void {
    attempted(() => this.#prepare(sql).statement.run())
  }

  /** Whether anything was written since this was last asked. */
  takeWrote(): boolean {
    const wrote = this.#wrote
    this.#wrote = false
    return wrote
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    const answersRows = statement.columns().length > 0
    const made = { statement, answersRows, reads: answersRows && /^\s*select\b/i.test(sql) }
    if (this.#prepared.size < PREPARED_MAXIMUM) this.#prepared.set(sql, made)
    return made
  }
}

/** SQLite's codes for a file that cannot be written, a disk that fails, and a disk that is full. */
const UNAVAILABLE = new Set([8, 10, 13])

/** @throws DatabaseUnavailable - where the disk, and not the statement, is to blame */
function attempted<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number }
    // The low byte is the code; the rest tells more about it.
    throw UNAVAILABLE.has(errcode & 0xff) ? new DatabaseUnavailable(error) : error
  }
}
