/**
 * Backup and restore. The embedded database belongs to one process alone, so a running server makes the copy itself when
 * it is asked over a socket in its data folder; a copy is complete or is not there. PostgreSQL is left to its own tools.
 */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { getCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { MIGRATIONS } from './database/migrations.ts'
import { createOwnerOnly, EMBEDDED_FILE, embeddedFiles } from './database/sqlite.ts'
import { backupSocketOf } from './operations/backup-socket.ts'
import { openVault } from './secrets/vault.ts'

const OWNER_ONLY = 0o600
const SQLITE_HEADER = 'SQLite format 3\0'
const PG_DUMP_HEADER = 'PGDMP'
/** The modes in which our driver verifies PostgreSQL's certificate. */
const VERIFYING = /^(?:require|verify-ca|verify-full)$/

/** PostgreSQL's own programs, such as `pg_dump`: where they are, and the environment that they run in. */
interface PostgresPrograms {
  readonly find: (name: string) => string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Writes everything that the database holds into a file, while the server runs or not. The master key is not in it.
 *
 * @throws ConfigError - where there is nothing to back up, or the file cannot be written
 */
export async function writeBackup(
  config: Config,
  file: string,
  programs: PostgresPrograms,
): Promise<void> {
  const target = resolve(file)
  if (existsSync(target)) throw new ConfigError([`${target} is there already. Name another file`])
  if (!existsSync(dirname(target))) throw new ConfigError([`${dirname(target)} does not exist`])
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  try {
    if (config.databaseUrl === undefined) await copyEmbedded(config.dataDir, draft)
    else await dump(config.databaseUrl, draft, programs)
    chmodSync(draft, OWNER_ONLY)
    moveDurably(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Fills an empty data folder, or an empty database, from a backup.
 *
 * @returns whether the master key in force opens what is in it; unknown for PostgreSQL before its first start
 * @throws ConfigError - where the file is no backup for this database, or the database is not empty
 */
export async function restoreBackup(
  config: Config,
  file: string,
  programs: PostgresPrograms,
): Promise<{ readonly keyOpens: boolean | undefined }> {
  const source = resolve(file)
  const header = readHeader(source)
  if (config.databaseUrl !== undefined) {
    if (!header.startsWith(PG_DUMP_HEADER)) {
      throw new ConfigError([
        `${source} is no backup of a PostgreSQL database. Unset DATABASE_URL for one of the embedded database`,
      ])
    }
    await refuseFilled(config.databaseUrl)
    const options = ['--no-owner', '--exit-on-error', '--single-transaction', '-d', '', source]
    await postgres(config.databaseUrl, 'pg_restore', programs, options)
    return { keyOpens: undefined }
  }
  if (!header.startsWith(SQLITE_HEADER)) {
    throw new ConfigError([
      `${source} is no backup of an embedded database. Set DATABASE_URL for one of PostgreSQL`,
    ])
  }
  const target = join(config.dataDir, EMBEDDED_FILE)
  // SQLite would apply a log that another database left behind to the restored one.
  const present = embeddedFiles(target).find(existsSync)
  if (present !== undefined) {
    throw new ConfigError([
      `${present} is there already. Stop the server, and move its folder away or set another DATA_DIR`,
    ])
  }
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const draft = `${target}.partial`
  try {
    copyFileSync(source, draft)
    chmodSync(draft, OWNER_ONLY)
    const wrapped = inspectCopy(draft, source)
    moveDurably(draft, target)
    return { keyOpens: opens(config, wrapped) }
  } finally {
    rmSync(draft, { force: true })
  }
}

async function dump(url: string, draft: string, programs: PostgresPrograms): Promise<void> {
  try {
    createOwnerOnly(draft)
  } catch (error) {
    throw new ConfigError([`${draft} cannot be written (${(error as { code?: string }).code})`])
  }
  await postgres(url, 'pg_dump', programs, ['-Fc', '--no-owner', '-f', draft])
}

/** A running server copies itself; where none runs, nobody else has the database open. */
async function copyEmbedded(dataDir: string, target: string): Promise<void> {
  const source = join(dataDir, EMBEDDED_FILE)
  if (!existsSync(source)) throw new ConfigError([`DATA_DIR ${dataDir} holds no database`])
  if (!(await askServer(dataDir, target))) {
    const database = new DatabaseSync(source)
    try {
      database.exec('BEGIN IMMEDIATE; COMMIT')
      createOwnerOnly(target)
      await backup(database, target)
    } catch (cause) {
      if (!(cause instanceof Error) || !/locked|busy/.test(cause.message)) throw cause
      throw new ConfigError([`${source} is open in a process that makes no backups. Stop it first`])
    } finally {
      database.close()
    }
  }
  inspectCopy(target, target)
}

/** @returns whether a server was there to do it */
function askServer(dataDir: string, target: string): Promise<boolean> {
  return new Promise((done, fail) => {
    let answer = ''
    const socket = connect(backupSocketOf(dataDir), () => socket.end(target))
    socket.on('data', (chunk: Buffer) => {
      answer += chunk
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ECONNREFUSED'
        ? done(false)
        : fail(
            new ConfigError([`The server in ${dataDir} could not be asked for a backup (${code})`]),
          ),
    )
    socket.once('close', () =>
      answer === 'done'
        ? done(true)
        : fail(new ConfigError([answer || 'The server stopped before the backup was complete'])),
    )
  })
}

/** Whether a copy is whole and of a version that we know; gives one of its wrapped texts. */
function inspectCopy(path: string, name: string): string | undefined {
  const copy = new DatabaseSync(path)
  try {
    // Without a log beside it the copy is one file.
    copy.exec('PRAGMA journal_mode = DELETE')
    const check = copy.prepare('PRAGMA quick_check(1)').get()
    if (check?.['quick_check'] !== 'ok') throw new ConfigError([`${name} is damaged`])
    const applied = copy.prepare('select name from kysely_migration order by name').all()
    const unknown = applied
      .map(({ name: each }) => String(each))
      .filter((each) => !(each in MIGRATIONS))
    if (unknown.length > 0) {
      throw new ConfigError([
        `${name} was written by a newer version, which knows ${unknown.join(', ')}. Restore it with that version`,
      ])
    }
    const wrapped = copy.prepare('select wrapped from signing_keys limit 1').get()?.['wrapped']
    return typeof wrapped === 'string' ? wrapped : undefined
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error
    throw new ConfigError([`${name} is damaged`])
  } finally {
    copy.close()
  }
}

function opens(config: Config, wrapped: string | undefined): boolean {
  if (wrapped === undefined) return true
  try {
    openVault(config).unwrap('signing key', wrapped)
    return true
  } catch {
    return false // The key is missing, or is another one.
  }
}

async function refuseFilled(connectionString: string): Promise<void> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    const { rowCount } = await client.query(
      "select 1 from pg_tables where schemaname = 'public' limit 1",
    )
    if (rowCount !== 0) {
      throw new ConfigError([
        'DATABASE_URL names a database that is not empty. Restore into a new one',
      ])
    }
  } finally {
    await client.end()
  }
}

/** The password goes by the environment: arguments can be read by every process of the machine. */
async function postgres(
  url: string,
  program: 'pg_dump' | 'pg_restore',
  programs: PostgresPrograms,
  options: readonly string[],
): Promise<void> {
  const found = programs.find(program)
  if (found === undefined) {
    throw new ConfigError([
      `${program} is not installed here. Install the client of your PostgreSQL's version, or use the backups of the service that runs it`,
    ])
  }
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  const args =
    program === 'pg_dump' ? [...options, address.href] : options.map((each) => each || address.href)
  const verifies = VERIFYING.test(address.searchParams.get('sslmode') ?? '')
  const folder = verifies ? mkdtempSync(join(tmpdir(), 'portico-')) : undefined
  try {
    const env = {
      ...(folder === undefined ? {} : { PGSSLROOTCERT: authoritiesIn(folder) }),
      ...programs.environment,
      ...(password === '' ? {} : { PGPASSWORD: password }),
    }
    await promisify(execFile)(found, args, { env }).catch(
      ({ stderr, message }: { stderr?: string; message: string }) => {
        throw new ConfigError([`${program} failed: ${(stderr || message).trim()}`])
      },
    )
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  }
}

/** PostgreSQL's programs know no authorities by themselves. Where `sslrootcert` names none, they get those that Node trusts. */
function authoritiesIn(folder: string): string {
  const file = join(folder, 'authorities.pem')
  writeFileSync(file, getCACertificates('default').join('\n'))
  return file
}

function readHeader(path: string): string {
  const bytes = Buffer.alloc(SQLITE_HEADER.length)
  try {
    const file = openSync(path, 'r')
    readSync(file, bytes)
    closeSync(file)
  } catch {
    throw new ConfigError([`${path} cannot be read`])
  }
  return bytes.toString('latin1')
}

/** After a loss of power the file is there whole, or not at all. */
function moveDurably(from: string, to: string): void {
  for (const step of [() => from, () => (renameSync(from, to), dirname(to))]) {
    const file = openSync(step(), 'r')
    fsyncSync(file)
    closeSync(file)
  }
}
