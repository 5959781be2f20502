// A PostgreSQL for tests, from the machine's binaries, in a temporary folder, on a free loopback port.
import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { installDebianPackage } from './debian.ts'
import { executable, findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { startGuard } from './guard.ts'
import { versionedFolders } from './postgres-programs.ts'

const ADVICE = [
  'PostgreSQL was not found and could not be installed. Do one of the following:',
  '  - install the package postgresql of your system (15 or newer)',
  '  - put the folder with initdb and pg_ctl on the PATH',
  '  - PORTICO_TEST_DATABASE_URL=postgres://user@host:port/postgres npm test',
].join('\n')

// Durability is irrelevant for tests, and syncing takes most of the time.
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=64MB',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
]

/** Stops the server and removes its folder. */
const STOP = 'read -r _; "$1" -D "$2" -m immediate stop; rm -rf "$3"'

export type TestPostgres = {
  readonly url: string
  /** Closes all connections, as a failover does, and starts it again. */
  readonly restart: () => void
  readonly stop: () => Promise<void>
}

/**
 * Starts a PostgreSQL for one test run, installing it if allowed;
 * if that fails, throws an error with instructions.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const bin = findBinaries() ?? (installDebianPackage('postgresql') ? findBinaries() : undefined)
  if (bin === undefined) throw new Error(ADVICE)
  const user = unprivilegedUser()
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-postgres-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const log = path.join(folder, 'log')
  const port = await freePort()
  const stop = startGuard(STOP, [path.join(bin, 'pg_ctl'), data, folder], user)

  const inFolder = { cwd: folder, env: { ...process.env, LC_ALL: 'C' }, ...user }
  const settings = [...SETTINGS, `unix_socket_directories=${folder}`, `port=${port}`]
  const options = settings.map((setting) => `-c ${setting}`).join(' ')
  try {
    execFileSync(
      path.join(bin, 'initdb'),
      ['-D', data, '-U', 'portico', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      { ...inFolder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    // No pipe here: the server would inherit it and keep it open forever.
    execFileSync(path.join(bin, 'pg_ctl'), ['-D', data, '-l', log, '-w', '-o', options, 'start'], {
      ...inFolder,
      stdio: 'ignore',
    })
  } catch (cause) {
    const logText = existsSync(log) ? readFileSync(log, 'utf8') : ''
    await stop()
    throw new Error(`PostgreSQL could not be started from ${bin}.\n${logText}`, { cause })
  }
  return {
    url: `postgres://portico@127.0.0.1:${port}/postgres`,
    restart: () =>
      void execFileSync(
        path.join(bin, 'pg_ctl'),
        ['-D', data, '-l', log, '-w', '-m', 'fast', 'restart'],
        { ...inFolder, stdio: 'ignore' },
      ),
    stop,
  }
}

export type User = { readonly uid: number; readonly gid: number }

/** The folder of PostgreSQL's programs. */
export function findBinaries(): string | undefined {
  const onPath = findProgram(['pg_ctl'])
  return [...versionedFolders(), ...(onPath === undefined ? [] : [path.dirname(onPath)])].find(
    (folder) => ['initdb', 'pg_ctl'].every((name) => executable(path.join(folder, name))),
  )
}

/** PostgreSQL refuses to run as root, so root runs it as another user. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name]))
    if (uid?.status === 0 && gid?.status === 0) {
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    }
  }
  return undefined
}
