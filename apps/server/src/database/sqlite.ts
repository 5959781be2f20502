/**
 * The embedded database: SQLite inside the process. One process owns the file (`locking_mode`): a second one is told so
 * instead of waiting. Every commit is on disk before it is answered for: the log is synced by us, because SQLite would
 * (`synchronous = FULL`) hold up the whole process for it, for each commit anew. What a loss of power may take is what
 * nobody was told of yet; SQLite keeps the file whole by itself (`NORMAL`).
 */
import { closeSync, fdatasync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ConfigError } from '../config-error.ts'
import { sharedSync } from './shared-sync.ts'
import { SqliteOneConnectionDriver, type SyncedLog } from './sqlite-driver.ts'

const FILE_NAME = 'portico.sqlite'
/** What is kept in memory of what was read. SQLite keeps 2 MB, and a few hundred people who are signed in need more. */
const CACHE_KILOBYTES = 16_384

/** Opens, or creates, the embedded database in a folder. */
export function sqliteDialect(dataDir: string): Dialect {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, FILE_NAME)
  const database = open(path)
  const log = logOf(`${path}-wal`)
  return {
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
    sync: sharedSync(() => {
      file ??= openSync(path, 'r+')
      return dataSynced(file)
    }),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
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
    database.close()
    if (!(cause instanceof Error) || !/locked|busy/.test(cause.message)) throw cause
    throw new ConfigError([
      `DATA_DIR is in use: another Portico has ${path} open. Stop it, set another DATA_DIR, or let both use one PostgreSQL by DATABASE_URL`,
    ])
  }
  return database
}
