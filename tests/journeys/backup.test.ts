/** @module-tag database */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { register } from '@portico/contracts/identity'
import { restoreBackup, writeBackup } from '@portico/server/backup'
import { parseConfig } from '@portico/server/config'
import { ConfigError } from '@portico/server/config-error'
import { expect, test, vi } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, queryEmbedded, testDatabase } from '../support/test-database.ts'
import { newPerson } from '../support/world.ts'

const WAITS = { timeout: 60_000, interval: 20 }
const MASTER_KEY = Buffer.alloc(32, 3).toString('base64')
const WRITERS = 6

/** Runs a tool; returns its exit code and output. */
async function tool(
  name: 'backup' | 'restore',
  args: string[],
  environment: Record<string, string>,
) {
  const path = fileURLToPath(new URL(`../../tools/${name}.ts`, import.meta.url))
  const env = { PATH: process.env.PATH, ...environment }
  return promisify(execFile)(process.execPath, [path, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      output: stdout + stderr,
    }),
  )
}

/** Registers addresses one after the other, from many networks, until stopped; returns the acknowledged ones. */
function load(server: ServerProcess) {
  const registered: string[] = []
  const state = { isRunning: true }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let each = 0; state.isRunning; each += 1) {
      const { email } = newPerson('kept')
      const browser = openBrowser({
        url: () => server.url,
        origin: () => server.url,
        passcode: async () => '',
        headers: { 'x-forwarded-for': `10.${writer}.${each >> 8}.${each & 255}` },
      })
      await browser.call(register, { body: { email } })
      registered.push(email)
    }
  })
  const stop = async () => {
    state.isRunning = false
    await Promise.all(writers)
  }
  return { acknowledged: registered, stop }
}

test('10 A8 a backup under load contains every row acknowledged before it began, and restores into an empty database', async () => {
  using data = temporaryFolder()
  using elsewhere = temporaryFolder()
  using files = temporaryFolder()
  const [database, empty] = [await testDatabase(), await testDatabase()]
  const settings = { MASTER_KEY, BOT_CHECK: 'off', TRUSTED_PROXIES: '127.0.0.1' }
  const first = { ...settings, ...(database === undefined ? {} : { DATABASE_URL: database.url }) }
  const second = { ...settings, ...(empty === undefined ? {} : { DATABASE_URL: empty.url }) }
  const file = join(files.path, 'portico.backup')
  try {
    const server = await startServer({ dataDir: data.path, environment: first })
    const writing = load(server)
    await vi.waitFor(() => expect(writing.acknowledged.length).toBeGreaterThan(100), WAITS)
    const acknowledged = [...writing.acknowledged]
    const backup = await tool('backup', [file], { ...first, DATA_DIR: data.path })
    const meanwhile = writing.acknowledged.length - acknowledged.length
    await writing.stop()
    expect(backup).toEqual({
      code: 0,
      output: expect.stringContaining('useless without MASTER_KEY'),
    })
    expect(meanwhile).toBeGreaterThan(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(files.path)).toEqual(['portico.backup'])
    await server.kill()

    using another = temporaryFolder()
    const otherKey = { ...second, MASTER_KEY: Buffer.alloc(32, 4).toString('base64') }
    const unusable = await tool('restore', [file], { ...otherKey, DATA_DIR: another.path })
    expect(unusable).toEqual({
      code: 1,
      output: expect.stringContaining('does not decrypt the restored data'),
    })
    // A command that ends with an error does not also report success.
    expect(unusable.output).not.toContain('Restored.')
    await empty?.query('drop schema public cascade; create schema public')
    const restore = await tool('restore', [file], { ...second, DATA_DIR: elsewhere.path })
    expect(restore).toEqual({ code: 0, output: expect.stringContaining('Restored') })
    await using restored = await startServer({ dataDir: elsewhere.path, environment: second })
    expect((await fetch(`${restored.url}/readyz`)).status).toBe(200)
    const sql = 'select email from registrations'
    const rows =
      empty === undefined ? await queryEmbedded(elsewhere.path, sql) : await empty.query(sql)
    const found = new Set(rows.map(({ email }) => email))
    expect(acknowledged.filter((email) => !found.has(email))).toEqual([])
  } finally {
    await database?.drop()
    await empty?.drop()
  }
})

test.runIf(!ON_POSTGRES)(
  '10 A8 a backup works while the server is stopped, and an impossible restore is explained in a sentence',
  async () => {
    using data = temporaryFolder()
    using elsewhere = temporaryFolder()
    using files = temporaryFolder()
    const file = join(files.path, 'portico.backup')
    const server = await startServer({ dataDir: data.path })
    await server.stop()
    const inFolder = (dataDir: string) => parseConfig({ DATA_DIR: dataDir })
    const programs = { find: () => undefined, environment: {} }
    await writeBackup(inFolder(data.path), file, programs)
    // npm runs scripts in the repository's root and passes the caller's folder.
    const inFiles = { INIT_CWD: files.path, DATA_DIR: data.path }
    const relative = await tool('backup', ['relative.backup'], inFiles)
    expect(relative.output).toContain(
      `${join(files.path, 'relative.backup')} contains the database.`,
    )
    const again = { INIT_CWD: files.path, DATA_DIR: join(files.path, 'restored') }
    // The folder has no master key of its own.
    expect((await tool('restore', ['relative.backup'], again)).output).toContain(
      'does not decrypt the restored data',
    )
    const outputOf = async (name: 'backup' | 'restore', target: string, dataDir: string) => {
      const work = name === 'backup' ? writeBackup : restoreBackup
      const error: unknown = await work(inFolder(dataDir), target, programs).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      expect(error).toBeInstanceOf(ConfigError)
      return String(error)
    }
    expect(await outputOf('backup', file, data.path)).toContain(
      'already exists. Choose another file name',
    )
    expect(await outputOf('backup', join(files.path, 'other'), elsewhere.path)).toContain(
      'contains no database',
    )
    expect(await outputOf('restore', file, data.path)).toContain('already exists. Stop the server')
    expect(await outputOf('restore', join(files.path, 'nothing'), elsewhere.path)).toContain(
      'cannot be read',
    )
    expect(await outputOf('backup', join(files.path, 'nowhere', 'file'), data.path)).toContain(
      'nowhere does not exist',
    )
    // SQLite would apply the removed database's log to the restored one.
    const log = join(elsewhere.path, 'portico.sqlite-wal')
    writeFileSync(log, '')
    expect(await outputOf('restore', file, elsewhere.path)).toContain('sqlite-wal already exists')
    rmSync(log)
    const broken = join(files.path, 'broken')
    writeFileSync(broken, 'not a database at all')
    expect(await outputOf('restore', broken, elsewhere.path)).toContain(
      'is not a backup of the embedded database',
    )
    const damaged = readFileSync(file)
    damaged.fill(0xff, 4096, 3 * 4096)
    writeFileSync(broken, damaged)
    expect(await outputOf('restore', broken, elsewhere.path)).toMatch(/is damaged/)
    expect(existsSync(join(elsewhere.path, 'portico.sqlite'))).toBe(false)

    // The key was generated in the data folder and is not part of the backup.
    expect(await restoreBackup(inFolder(elsewhere.path), file, programs)).toEqual({
      keyOpens: false,
    })
    const key = join(elsewhere.path, 'master.key')
    const missing = await startServer({ dataDir: elsewhere.path }).catch((error: unknown) => error)
    expect(String(missing)).toContain(`${key} is missing`)
    expect(existsSync(key)).toBe(false)
    writeFileSync(key, MASTER_KEY)
    const other = await startServer({ dataDir: elsewhere.path }).catch((error: unknown) => error)
    expect(String(other)).toContain(`${key} is not the key of this database`)
    writeFileSync(join(elsewhere.path, 'master.key'), readFileSync(join(data.path, 'master.key')))
    await using restored = await startServer({ dataDir: elsewhere.path })
    expect((await fetch(`${restored.url}/readyz`)).status).toBe(200)
  },
)

test.runIf(process.platform !== 'win32')(
  '10 A8 pg_dump verifies a server with the authorities that Node trusts, unless sslrootcert names others',
  async () => {
    using files = temporaryFolder()
    const program = join(files.path, 'pg_dump')
    writeFileSync(
      program,
      '#!/bin/sh\necho "$PGSSLROOTCERT" >"$4"; [ -z "$PGSSLROOTCERT" ] || head -c 27 "$PGSSLROOTCERT" >>"$4"\n',
    )
    chmodSync(program, 0o700)
    const programs = { find: () => program, environment: { PATH: process.env.PATH } }
    // Otherwise the database is asked whether it has uploaded files.
    mkdirSync(join(files.path, 'uploads'))
    const dumped = async (name: string, query: string) => {
      const file = join(files.path, name)
      const url = `postgres://portico@db.example/portico?${query}`
      const config = parseConfig({ DATABASE_URL: url, DATA_DIR: files.path })
      await writeBackup(config, file, programs)
      return readFileSync(file, 'utf8').split('\n')
    }
    const [path = '', begins] = await dumped('one', 'sslmode=verify-full')
    expect(begins).toBe('-----BEGIN CERTIFICATE-----')
    expect(existsSync(path)).toBe(false)
    expect(await dumped('two', 'sslmode=disable')).toEqual(['', ''])
    const unreachable = parseConfig({ DATABASE_URL: 'postgres://portico@127.0.0.1:1/portico' })
    await expect(writeBackup(unreachable, join(files.path, 'three'), programs)).rejects.toThrow(
      ConfigError,
    )
  },
)
