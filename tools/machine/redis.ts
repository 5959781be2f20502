// A Redis for tests, from the machine's program, on a free loopback port. A guard process holds the other
// end of a pipe: when we end in any way, the pipe closes and the guard kills the server and removes its folder.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installDebianPackage } from './debian.ts'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'

const NAMES = ['redis-server', 'valkey-server']
const READY_WITHIN_MS = 10_000

const ADVICE = [
  'Redis was not found and could not be installed. Do one of the following:',
  '  - install the package redis-server (7 or newer) or valkey-server of your system',
  '  - PORTICO_TEST_REDIS_URL=redis://host:port npm test, for one that has 65,536 databases',
].join('\n')

/** One database per test. */
const SETTINGS = ['--databases', '65536', '--bind', '127.0.0.1', '--daemonize', 'no', '--save', '']

/** Options that persist each acknowledged write. */
const KEPT = ['--appendonly', 'yes', '--appendfsync', 'always']

export type TestRedis = {
  readonly url: string
  /** Kills it, like a power failure. */
  readonly kill: () => Promise<void>
  /** Restarts it on the same port and data. */
  readonly start: () => Promise<void>
  /** Stops it and removes its data. */
  readonly stop: () => Promise<void>
}

/** Starts a Redis, installing it if allowed; `kept` ones keep their data after a `kill`. */
export async function startRedis({ kept = false } = {}): Promise<TestRedis> {
  const program =
    findProgram(NAMES) ?? (installDebianPackage('redis-server') ? findProgram(NAMES) : undefined)
  if (program === undefined) throw new Error(ADVICE)
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-redis-'))
  const port = await freePort()
  const command = [
    program,
    '--port',
    `${port}`,
    '--dir',
    folder,
    ...SETTINGS,
    ...(kept ? KEPT : []),
  ]
  let end: (() => Promise<void>) | undefined

  async function start(): Promise<void> {
    end = startGuarded(command)
    const late = Date.now() + READY_WITHIN_MS
    while (!(await answers(port))) {
      if (Date.now() > late) throw new Error(`Redis could not be started from ${program}.`)
      await wait(5)
    }
  }
  async function kill(): Promise<void> {
    await end?.()
    end = undefined
  }
  const removing = startGuard(['rm', '-rf', folder])
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    async stop() {
      await kill()
      await removing()
    },
  }
}

/** Runs a server until the guard's pipe closes, then kills it and removes its folder. */
function startGuarded(command: readonly string[]): () => Promise<void> {
  return guard('"$@" & server=$!; read -r _; kill -9 $server; wait $server', command)
}

/** Runs a command when the guard's pipe closes. */
function startGuard(command: readonly string[]): () => Promise<void> {
  return guard('read -r _; "$@"', command)
}

function guard(script: string, command: readonly string[]): () => Promise<void> {
  const process_ = spawn('sh', ['-c', script, 'sh', ...command], {
    cwd: '/',
    detached: true, // A signal to our process group must not kill the guard early.
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => process_.once('exit', () => resolve()))
  process_.unref()
  return () => {
    process_.ref()
    process_.stdin.end()
    return ended
  }
}

/** Whether it accepts commands; while loading its data it does not. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString().startsWith('+PONG')
  } catch {
    return false // Nothing listens there yet.
  } finally {
    socket.destroy()
  }
}
