/**
 * The embedded database: SQLite inside the process. One process owns the file (`locking_mode`); a second one fails with
 * an error instead of waiting. SQLite syncs every commit to disk before it is acknowledged (`synchronous = FULL`).
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type Dialect, SqliteDialect, type SqliteStatement } from 'kysely'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { DatabaseUnavailable } from './database-unavailable.ts'

/** The file name of the embedded database. */
export const EMBEDDED_FILE = 'portico.sqlite'
/** The suffixes of SQLite's companion files. */
const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal']
const OWNER_ONLY = 0o600
/** The page cache. SQLite's default of 2 MB is too small for a few hundred signed-in users. */
const CACHE_KILOBYTES = 16_384

/** The maximum number of prepared statements. Those with lists vary in length; the others are a few hundred. */
const MAX_PREPARED = 500

/** The embedded database, which can be copied while in use. */
interface Embedded {
  readonly dialect: Dialect
  /** Copies the database to a file, including commits made during the copy. Requests continue meanwhile. */
  readonly copyTo: (file: string) => Promise<unknown>
}

/** Pages copied per step of a backup: a few milliseconds, between which queries run. */
const PAGES_AT_ONCE = 500

/** Opens or creates the embedded database in a folder. */
export function openEmbedded(dataDir: string): Embedded {
  const database = open(join(dataDir, EMBEDDED_FILE))
  return {
    dialect: new SqliteDialect({ database: kyselyDatabase(database) }),
    async copyTo(file) {
      createOwnerOnly(file)
      return backup(database, file, { rate: PAGES_AT_ONCE })
    },
  }
}

/** Adapts a `node:sqlite` database to the interface that Kysely expects. */
export function kyselyDatabase(database: DatabaseSync) {
  const prepared = new Map<string, SqliteStatement>()

  function prepare(sql: string): SqliteStatement {
    const statement = database.prepare(sql)
    const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[] // Our columns have no other types.
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => withUnavailableErrors(() => statement.all(...bind(parameters))),
      run: (parameters) =>
        // A full disk has already ended the transaction.
        sql === 'rollback' && !database.isTransaction
          ? { changes: 0, lastInsertRowid: 0 }
          : withUnavailableErrors(() => statement.run(...bind(parameters))),
      iterate: (parameters) => statement.iterate(...bind(parameters)),
    }
  }

  return {
    close: () => database.close(),
    prepare(sql: string): SqliteStatement {
      const statement = prepared.get(sql) ?? prepare(sql)
      if (prepared.size < MAX_PREPARED) prepared.set(sql, statement)
      return statement
    },
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

/** Creates the file if missing, readable only by its owner. SQLite gives its companion files the same mode. */
function protect(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createOwnerOnly(path)
  for (const file of embeddedFiles(path).filter(existsSync)) chmodSync(file, OWNER_ONLY)
}

/** The file of an embedded database and its companion files. */
export function embeddedFiles(path: string): readonly string[] {
  return ['', ...COMPANION_SUFFIXES].map((ending) => `${path}${ending}`)
}

/** Creates a file that only its owner can read, unless it exists. */
export function createOwnerOnly(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ONLY))
}

function open(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    protect(path)
    database = new DatabaseSync(path)
    database.exec(
      `PRAGMA busy_timeout = 2000;
       PRAGMA locking_mode = EXCLUSIVE;
       PRAGMA journal_mode = WAL;
       PRAGMA synchronous = FULL;
       PRAGMA foreign_keys = ON;
       PRAGMA cache_size = -${CACHE_KILOBYTES};
       BEGIN IMMEDIATE; COMMIT;`,
    )
  } catch (cause) {
    database?.close()
    const { message, errcode = 0 } = cause as { message: string; errcode?: number }
    // 5 is SQLITE_BUSY: the file is locked.
    if ((errcode & 0xff) !== 5) throw unusableDataDir(message)
    throw new ConfigError([
      `DATA_DIR is in use: another Portico process has opened ${path}. Stop it, set another DATA_DIR, or let both use PostgreSQL with DATABASE_URL`,
    ])
  }
  return database
}
