/**
 * The embedded database: SQLite inside the process. One process owns the file (`locking_mode`): a second one is told so
 * instead of waiting. Every commit is on disk before it is answered for: the log is synced by us, because SQLite would
 * (`synchronous = FULL`) hold up the whole process for it, for each commit anew. What a loss of power may take is what
 * nobody was told of yet; SQLite keeps the file whole by itself (`NORMAL`).
 */
import { chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { groupCommit } from './group-commit.ts'
import { SqliteOneConnectionDriver, type SyncedLog } from './sqlite-driver.ts'

/** The file of the embedded database in its folder. */
export const EMBEDDED_FILE = 'portico.sqlite'
/** What SQLite adds to the name for the files beside it. */
const BESIDE = ['-wal', '-shm', '-journal']
const OWNER_ONLY = 0o600
/** What is kept in memory of what was read. SQLite keeps 2 MB, and a few hundred people who are signed in need more. */
const CACHE_KILOBYTES = 16_384

/** The embedded database, and the way to copy it while it is used. */
interface Embedded extends Dialect {
  /** Writes every commit until the copy's end into a file. Requests go on in the meantime. */
  readonly copyTo: (file: string) => Promise<unknown>
}

/** Pages that a backup copies before others have their turn: a few milliseconds. */
const PAGES_AT_ONCE = 500

/** Opens, or creates, the embedded database in a folder. */
export function sqliteDialect(dataDir: string): Embedded {
  const path = join(dataDir, EMBEDDED_FILE)
  const database = open(path)
  const log = logOf(`${path}-wal`)
  return {
    async copyTo(file) {
      createOwnerOnly(file)
      return backup(database, file, { rate: PAGES_AT_ONCE })
    },
    createAdapter: () => new OwnTurnsAdapter(),
    createDriver: () => new SqliteOneConnectionDriver(database, log),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** The driver lets one piece of work at a time onto its connection; a lock around it would be held through each sync. */
class OwnTurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Brings the log to the disk. Its file is there with the first commit, and stays as long as the database is open. */
function logOf(path: string): SyncedLog {
  const dataSynced = promisify(fdatasync)
  let file: number | undefined
  return {
    sync: groupCommit(() => {
      file ??= openSync(path, 'r+')
      return dataSynced(file)
    }),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** Makes the file where there is none, readable by its owner alone: SQLite gives the files beside it the same mode. */
function protect(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  createOwnerOnly(path)
  for (const file of embeddedFiles(path).filter(existsSync)) chmodSync(file, OWNER_ONLY)
}

/** The file of an embedded database and those that SQLite keeps beside it. */
export function embeddedFiles(path: string): readonly string[] {
  return ['', ...BESIDE].map((ending) => `${path}${ending}`)
}

/** Creates a file that only its owner can read, where there is none. */
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
       PRAGMA synchronous = NORMAL;
       PRAGMA foreign_keys = ON;
       PRAGMA cache_size = -${CACHE_KILOBYTES};
       BEGIN IMMEDIATE; COMMIT;`,
    )
  } catch (cause) {
    database?.close()
    const { message, errcode = 0 } = cause as { message: string; errcode?: number }
    // 5 is SQLite's code for a file that is locked.
    if ((errcode & 0xff) !== 5) throw unusableDataDir(message)
    throw new ConfigError([
      `DATA_DIR is in use: another Portico has ${path} open. Stop it, set another DATA_DIR, or let both use one PostgreSQL by DATABASE_URL`,
    ])
  }
  return database
}
