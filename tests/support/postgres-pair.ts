/**
 * A PostgreSQL primary and its synchronous standby behind one address, as a virtual address or a proxy has it: connections go
 * to the server that is primary now.
 */
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../tools/machine/free-port.ts'
import { startGuard } from '../../tools/machine/guard.ts'
import { findBinaries, unprivilegedUser } from '../../tools/machine/postgres.ts'
import { listen } from './listen.ts'

const STANDBY = 'standby'
const STANDBY_WITHIN_MS = 10_000
const STOP =
  'read -r _; "$1" -D "$2/primary" -m immediate stop; "$1" -D "$2/standby" -m immediate stop; rm -rf "$2"'

interface PostgresPair extends AsyncDisposable {
  readonly url: string
  /** Kills every process of the primary, as if its machine lost power. Its connections close. */
  readonly killPrimary: () => void
  /** Stops the standby at once. Commits then wait for it. */
  readonly stopStandby: () => void
  /** Starts it again. */
  readonly startStandby: () => void
  /** Makes the standby the primary, and directs new connections to it. */
  readonly promoteStandby: () => void
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const bin = findBinaries()
  if (bin === undefined) throw new Error('PostgreSQL was not found')
  const user = unprivilegedUser()
  const folder = mkdtempSync(join(tmpdir(), 'portico-postgres-pair-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const remove = startGuard(STOP, [join(bin, 'pg_ctl'), folder], user)
  const [primary, standby] = [
    { data: join(folder, 'primary'), port: await freePort() },
    { data: join(folder, 'standby'), port: await freePort() },
  ]
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(bin, program), args, {
      cwd: folder,
      env: { ...process.env, LC_ALL: 'C' },
      stdio: 'ignore',
      ...user,
    })
  const start = ({ data, port }: typeof primary, settings: readonly string[]) => {
    const options = [
      `unix_socket_directories=${folder}`,
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      ...settings,
    ].map((setting) => `-c ${setting}`)
    run('pg_ctl', ['-D', data, '-l', `${data}.log`, '-w', '-o', options.join(' '), 'start'])
  }
  const urlAt = (port: number) => `postgres://portico@127.0.0.1:${port}/postgres`

  run('initdb', ['-D', primary.data, '-U', 'portico', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  // A commit is acknowledged once the standby has it. Nothing is synced: the standby is not killed.
  start(primary, [`synchronous_standby_names=${STANDBY}`, 'fsync=off'])
  const source = `host=127.0.0.1 port=${primary.port} user=portico application_name=${STANDBY}`
  run('pg_basebackup', ['-D', standby.data, '-d', source, '-R', '-X', 'stream', '-c', 'fast'])
  const startStandby = () => start(standby, ['fsync=off'])
  startStandby()
  await synchronous(urlAt(primary.port))

  let current = primary.port
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(current, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => (open.delete(from), to.destroy()))
      from.pipe(to)
    }
  })
  const port = await listen(proxy)

  return {
    url: urlAt(port),
    killPrimary() {
      const [postmaster = ''] = readFileSync(join(primary.data, 'postmaster.pid'), 'utf8').split(
        '\n',
      )
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster], {
        encoding: 'utf8',
      })
      // The postmaster first, so that it does not start others.
      for (const pid of [postmaster, ...children.split('\n').map((line) => line.trim())]) {
        if (pid !== '') kill(Number(pid))
      }
    },
    stopStandby: () => run('pg_ctl', ['-D', standby.data, '-m', 'immediate', '-w', 'stop']),
    startStandby,
    promoteStandby() {
      run('pg_ctl', ['-D', standby.data, '-w', 'promote'])
      current = standby.port
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      proxy.close()
      await remove()
    },
  }
}

/** Waits until the primary waits for its standby at each commit. */
async function synchronous(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const deadline = performance.now() + STANDBY_WITHIN_MS
  const query = `select 1 from pg_stat_replication where sync_state = 'sync'`
  while ((await client.query(query)).rowCount === 0) {
    if (performance.now() > deadline) throw new Error('The standby does not replicate')
    await wait(50)
  }
  await client.end()
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
