// A Redis for the tests, from the machine's own program, on a free loopback port. A small guard process holds the other
// end of a pipe: when we end, in whatever way, the pipe closes and the guard ends the server and removes the folder.
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
  'No Redis was found and none could be installed. Any one of these helps:',
  '  - install the package redis-server (7 or newer) or valkey-server of your system',
  '  - PORTICO_TEST_REDIS_URL=redis://host:port npm test, for one that has 65,536 databases',
].join('\n')

/** Each test has a database of its own. */
const SETTINGS = ['--databases', '65536', '--bind', '127.0.0.1', '--daemonize', 'no', '--save', '']

/** What survives the end of the process, at the latest when it is answered for. */
const KEPT = ['--appendonly', 'yes', '--appendfsync', 'always']

/** A running Redis: where it answers, and how to end it. */
export type TestRedis = {
  readonly url: string
  /** Ends it at once, as a power cut would. */
  readonly kill: () => Promise<void>
  /** Starts it again where it was, on what it has kept. */
  readonly start: () => Promise<void>
  /** Ends it for good. */
  readonly stop: () => Promise<void>
}

/** Starts a Redis of its own, installing it where that is allowed; `kept` ones keep their data over a `kill`. */
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

/** Runs a server until the guard's pipe closes; then it is killed, and nothing of it is left. */
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
    detached: true, // A signal to our process group must not end the guard before its work.
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

/** Whether it takes commands: one that is still loading what it kept does not. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return answer.toString().startsWith('+PONG')
  } catch {
    return false // Nobody listens there yet.
  } finally {
    socket.destroy()
  }
}
