/**
 * The embedded database: SQLite inside the process. Every commit is on disk before it is answered for (`synchronous`),
 * and one process owns the file (`locking_mode`): a second one is told so instead of waiting.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely'
import { ConfigError } from '../config.ts'

const FILE_NAME = 'portico.sqlite'

/** Opens, or creates, the embedded database in a folder. */
export function sqliteDialect(dataDir: string): Dialect {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = open(join(dataDir, FILE_NAME))
  return new SqliteDialect({ database: adapted(database) })
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec(
      `PRAGMA busy_timeout = 2000;
       PRAGMA locking_mode = EXCLUSIVE;
       PRAGMA journal_mode = WAL;
       PRAGMA synchronous = FULL;
       PRAGMA foreign_keys = ON;
       BEGIN IMMEDIATE; COMMIT;`,
    )
  } catch (cause) {
    database.close()
    if (!(cause instanceof Error) || !/locked|busy/.test(cause.message)) throw cause
    throw new ConfigError([
      `DATA_DIR is in use: another Portico has ${path} open. Stop it, set another DATA_DIR, or let both use one PostgreSQL by DATABASE_URL`,
    ])
  }
  return database
}

/** Gives the driver the interface the query builder expects; statements are prepared once. */
function adapted(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql)
      if (known) return known
      const statement = adaptedStatement(database.prepare(sql))
      // Statements with generated lists differ endlessly; the rest are a few dozen.
      if (prepared.size < 500) prepared.set(sql, statement)
      return statement
    },
  }
}

function adaptedStatement(statement: StatementSync): SqliteStatement {
  const bound = (parameters: readonly unknown[]) => parameters as SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...bound(parameters)),
    run: (parameters) => statement.run(...bound(parameters)),
    iterate: (parameters) => statement.iterate(...bound(parameters)),
  }
}
