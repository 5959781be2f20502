/**
 * Backup and restore. Only one process may open the embedded database, so a running server makes the copy itself when a
 * request arrives on the socket in its data folder. A backup file is either complete or absent. PostgreSQL databases
 * are copied with `pg_dump` and `pg_restore`.
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
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { getCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import type { Config } from './config.ts'
import { ConfigError } from './config-error.ts'
import { MIGRATIONS } from './database/migrations.ts'
import { createOwnerOnly, EMBEDDED_FILE, embeddedFiles } from './database/sqlite.ts'
import { UPLOADS_FOLDER } from './file-storage/open-file-storage.ts'
import { requestFromServer } from './operations/operator-socket.ts'
import { openVault } from './secrets/vault.ts'

const OWNER_ONLY = 0o600
const SQLITE_HEADER = 'SQLite format 3\0'
const PG_DUMP_HEADER = 'PGDMP'
/** The `sslmode` values with which our driver verifies PostgreSQL's certificate. */
const VERIFYING_SSL_MODES = /^(?:require|verify-ca|verify-full)$/

/** Finds PostgreSQL's command-line programs, such as `pg_dump`, and holds the environment they run in. */
interface PostgresPrograms {
  readonly find: (name: string) => string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Where a backup keeps uploaded files: next to the database file. */
const uploadsBeside = (file: string) => `${file}.uploads`

/**
 * Writes the whole database to a file, and uploaded files of the data folder to a folder beside it, whether or not the
 * server is running. The master key is not included.
 *
 * @returns the folder with the uploaded files, if there are any
 * @throws ConfigError - when there is nothing to back up, or uploaded files are missing, or the file cannot be written
 */
export async function writeBackup(
  config: Config,
  file: string,
  programs: PostgresPrograms,
): Promise<{ readonly uploads: string | undefined }> {
  const target = resolve(file)
  const present = [target, uploadsBeside(target)].find(existsSync)
  if (present !== undefined)
    throw new ConfigError([`${present} already exists. Choose another file name`])
  if (!existsSync(dirname(target))) throw new ConfigError([`${dirname(target)} does not exist`])
  await requireUploads(config)
  const draft = `${target}.partial`
  rmSync(draft, { force: true })
  try {
    if (config.databaseUrl === undefined) await copyEmbedded(config.dataDir, draft)
    else await dump(config.databaseUrl, draft, programs)
    chmodSync(draft, OWNER_ONLY)
    // Copied after the database, so that every file that the database references is included.
    const hasUploads =
      config.uploadsBucket === undefined &&
      copyUploads(join(config.dataDir, UPLOADS_FOLDER), uploadsBeside(target))
    moveDurably(draft, target)
    return { uploads: hasUploads ? uploadsBeside(target) : undefined }
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * A command whose `DATA_DIR` is not the server's would make a backup without the uploaded files. The embedded database is in
 * the same folder as they are.
 *
 * @throws ConfigError - when PostgreSQL has uploaded files, and the data folder has none
 */
async function requireUploads({ databaseUrl, dataDir, uploadsBucket }: Config): Promise<void> {
  const folder = join(dataDir, UPLOADS_FOLDER)
  if (databaseUrl === undefined || uploadsBucket !== undefined || existsSync(folder)) return
  // A database from before uploads does not have the table.
  const [table] = await query(databaseUrl, "select to_regclass('passport_files') as name")
  if (!table?.['name']) return
  const files = await query(databaseUrl, "select 1 from passport_files where parts <> '' limit 1")
  if (files.length > 0) {
    throw new ConfigError([
      `${folder} does not exist, but the database has uploaded files. Set DATA_DIR as for the server; if the files are lost, create the folder`,
    ])
  }
}

/** Copies uploaded files durably, if there are any. Files deleted in the meantime are left out. */
function copyUploads(from: string, to: string): boolean {
  if (!existsSync(from)) return false
  const draft = `${to}.partial`
  rmSync(draft, { recursive: true, force: true })
  try {
    mkdirSync(draft, { mode: 0o700 })
    for (const path of readdirSync(from, { recursive: true, encoding: 'utf8' }).sort()) {
      const [source, copy] = [join(from, path), join(draft, path)]
      const found = statSync(source, { throwIfNoEntry: false })
      if (found === undefined || path.endsWith('.partial')) continue
      if (found.isDirectory()) mkdirSync(copy, { mode: 0o700 })
      else copyPart(source, copy)
    }
    moveDurably(draft, to)
    return true
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function copyPart(source: string, copy: string): void {
  try {
    copyFileSync(source, copy)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  chmodSync(copy, OWNER_ONLY)
  syncToDisk(copy)
}

/**
 * Fills an empty data folder, or an empty database, from a backup.
 *
 * @returns whether the current master key can decrypt the backup
 * @throws ConfigError - when the file is not a backup of this kind of database, or the database is not empty
 */
export async function restoreBackup(
  config: Config,
  file: string,
  programs: PostgresPrograms,
): Promise<{ readonly keyOpens: boolean }> {
  const source = resolve(file)
  const header = readHeader(source)
  if (config.databaseUrl !== undefined) {
    if (!header.startsWith(PG_DUMP_HEADER)) {
      throw new ConfigError([
        `${source} is not a PostgreSQL backup. To restore a backup of the embedded database, unset DATABASE_URL`,
      ])
    }
    await requireEmptyDatabase(config.databaseUrl)
    restoreUploads(config, source)
    const options = ['--no-owner', '--exit-on-error', '--single-transaction']
    await runPostgresProgram(config.databaseUrl, 'pg_restore', programs, (url) => [
      ...options,
      '-d',
      url,
      source,
    ])
    const [key] = await query(config.databaseUrl, 'select wrapped from signing_keys limit 1')
    return { keyOpens: canUnwrap(config, key?.['wrapped']) }
  }
  if (!header.startsWith(SQLITE_HEADER)) {
    throw new ConfigError([
      `${source} is not a backup of the embedded database. To restore a PostgreSQL backup, set DATABASE_URL`,
    ])
  }
  const target = join(config.dataDir, EMBEDDED_FILE)
  // SQLite would apply another database's leftover write-ahead log to the restored one.
  const present = embeddedFiles(target).find(existsSync)
  if (present !== undefined) {
    throw new ConfigError([
      `${present} already exists. Stop the server, then move its folder away or set another DATA_DIR`,
    ])
  }
  restoreUploads(config, source)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const draft = `${target}.partial`
  try {
    copyFileSync(source, draft)
    chmodSync(draft, OWNER_ONLY)
    const wrapped = inspectCopy(draft, source)
    moveDurably(draft, target)
    return { keyOpens: canUnwrap(config, wrapped) }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Restored before the database, which would otherwise reference missing files. */
function restoreUploads({ dataDir, uploadsBucket }: Config, source: string): void {
  const from = uploadsBeside(source)
  if (uploadsBucket !== undefined || !existsSync(from)) return
  const to = join(dataDir, UPLOADS_FOLDER)
  if (existsSync(to)) {
    throw new ConfigError([
      `${to} already exists. Stop the server, then move its folder away or set another DATA_DIR`,
    ])
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  copyUploads(from, to)
}

async function dump(databaseUrl: string, draft: string, programs: PostgresPrograms): Promise<void> {
  try {
    createOwnerOnly(draft)
  } catch (error) {
    throw new ConfigError([`${draft} cannot be written (${(error as { code?: string }).code})`])
  }
  await runPostgresProgram(databaseUrl, 'pg_dump', programs, (url) => [
    '-Fc',
    '--no-owner',
    '-f',
    draft,
    url,
  ])
}

/** A running server makes the copy. If none is running, this process can open and copy the database. */
async function copyEmbedded(dataDir: string, target: string): Promise<void> {
  const source = join(dataDir, EMBEDDED_FILE)
  if (!existsSync(source)) throw new ConfigError([`DATA_DIR ${dataDir} contains no database`])
  if ((await requestFromServer(dataDir, 'backup', target)) === undefined) {
    const database = new DatabaseSync(source)
    try {
      database.exec('BEGIN IMMEDIATE; COMMIT')
      createOwnerOnly(target)
      await backup(database, target)
    } catch (cause) {
      if (!(cause instanceof Error) || !/locked|busy/.test(cause.message)) throw cause
      throw new ConfigError([
        `${source} is open in another process that cannot make backups. Stop that process first`,
      ])
    } finally {
      database.close()
    }
  }
  inspectCopy(target, target)
}

/** Checks that a copy is undamaged and of a known version. Returns one of its encrypted values. */
function inspectCopy(path: string, name: string): string | undefined {
  const copy = new DatabaseSync(path)
  try {
    // Without write-ahead logging the copy is a single file.
    copy.exec('PRAGMA journal_mode = DELETE')
    const check = copy.prepare('PRAGMA quick_check(1)').get()
    if (check?.['quick_check'] !== 'ok') throw new ConfigError([`${name} is damaged`])
    const applied = copy.prepare('select name from kysely_migration order by name').all()
    const unknown = applied
      .map(({ name: each }) => String(each))
      .filter((each) => !(each in MIGRATIONS))
    if (unknown.length > 0) {
      throw new ConfigError([
        `${name} was written by a newer version (unknown migrations: ${unknown.join(', ')}). Restore it with that version`,
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

function canUnwrap(config: Config, wrapped: string | undefined): boolean {
  if (wrapped === undefined) return true
  try {
    openVault(config).unwrap('signing key', wrapped)
    return true
  } catch {
    return false // The key is missing or different.
  }
}

async function requireEmptyDatabase(connectionString: string): Promise<void> {
  const tables = "select 1 from pg_tables where schemaname = 'public' limit 1"
  if ((await query(connectionString, tables)).length > 0) {
    throw new ConfigError(['The database in DATABASE_URL is not empty. Restore into a new one'])
  }
}

/** @throws ConfigError - when the database cannot be connected to */
async function query(
  connectionString: string,
  text: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString })
  try {
    await client.connect().catch(({ message, code }: { message: string; code?: string }) => {
      throw new ConfigError([`DATABASE_URL cannot be used: ${message || code}`])
    })
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Passes the password in the environment instead of the URL, because any process on the machine can read arguments. */
async function runPostgresProgram(
  databaseUrl: string,
  program: 'pg_dump' | 'pg_restore',
  programs: PostgresPrograms,
  argumentsFor: (url: string) => readonly string[],
): Promise<void> {
  const found = programs.find(program)
  if (found === undefined) {
    throw new ConfigError([
      `${program} is not installed. Install the client for your PostgreSQL version, or use your database provider's backups`,
    ])
  }
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  const verifies = VERIFYING_SSL_MODES.test(url.searchParams.get('sslmode') ?? '')
  const folder = verifies ? mkdtempSync(join(tmpdir(), 'portico-')) : undefined
  try {
    const env = {
      ...(folder === undefined ? {} : { PGSSLROOTCERT: writeCertificates(folder) }),
      ...programs.environment,
      ...(password === '' ? {} : { PGPASSWORD: password }),
    }
    await promisify(execFile)(found, argumentsFor(url.href), { env }).catch(
      ({ stderr, message }: { stderr?: string; message: string }) => {
        throw new ConfigError([`${program} failed: ${(stderr || message).trim()}`])
      },
    )
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  }
}

/**
 * PostgreSQL's programs come without root certificates. Unless `sslrootcert` names some, use those that Node trusts.
 */
function writeCertificates(folder: string): string {
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

/** After a power failure the file is either complete or absent. */
function moveDurably(from: string, to: string): void {
  syncToDisk(from)
  renameSync(from, to)
  syncToDisk(dirname(to))
}

function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
