/**
 * The embedded database: SQLite inside the process. One process owns the file (`locking_mode`); a second one fails with
 * an error instead of waiting. Every commit is on disk before it is acknowledged. We sync the log ourselves, because
 * SQLite (`synchronous = FULL`) would block the process for every single commit. A power failure can only lose
 * unacknowledged commits; SQLite keeps the file consistent by itself (`NORMAL`).
 */
import { chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ConfigError, unusableDataDir } from '../config-error.ts'
import { groupCommit } from './group-commit.ts'
import { SqliteOneConnectionDriver, type SyncedLog } from './sqlite-driver.ts'

/** The file name of the embedded database. */
export const EMBEDDED_FILE = 'portico.sqlite'
/** The suffixes of SQLite's companion files. */
const COMPANION_SUFFIXES = ['-wal', '-shm', '-journal']
const OWNER_ONLY = 0o600
/** The page cache. SQLite's default of 2 MB is too small for a few hundred signed-in users. */
const CACHE_KILOBYTES = 16_384

/** The embedded database, which can be copied during use. */
interface Embedded extends Dialect {
  /** Copies the database to a file, including commits made during the copy. Requests continue meanwhile. */
  readonly copyTo: (file: string) => Promise<unknown>
}

/** Pages copied per step of a backup: a few milliseconds, between which queries run. */
const PAGES_AT_ONCE = 500

/** Opens or creates the embedded database in a folder. */
export function sqliteDialect(dataDir: string): Embedded {
  const path = join(dataDir, EMBEDDED_FILE)
  const database = open(path)
  const log = openLog(`${path}-wal`)
  return {
    async copyTo(file) {
      createOwnerOnly(file)
      return backup(database, file, { rate: PAGES_AT_ONCE })
    },
    createAdapter: () => new SerializingAdapter(),
    createDriver: () => new SqliteOneConnectionDriver(database, log),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** The driver serializes access itself; Kysely's lock would be held during each sync. */
class SerializingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Syncs the write-ahead log. Its file exists from the first commit until the database is closed. */
function openLog(path: string): SyncedLog {
  const syncData = promisify(fdatasync)
  let file: number | undefined
  return {
    sync: groupCommit(() => {
      file ??= openSync(path, 'r+')
      return syncData(file)
    }),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
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
       PRAGMA synchronous = NORMAL;
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
