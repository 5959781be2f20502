// A Redis for tests, from the machine's program, in a temporary folder, on a free loopback port.
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installDebianPackage } from './debian.ts'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { startGuard } from './guard.ts'

const NAMES = ['redis-server', 'valkey-server']
const READY_WITHIN_MS = 10_000

const ADVICE = [
  'Redis was not found and could not be installed. Do one of the following:',
  '  - install the package redis-server (7 or newer) or valkey-server of your system',
  '  - PORTICO_TEST_REDIS_URL=redis://host:port npm test, for one that has 65,536 databases',
].join('\n')

// One database per test.
const SETTINGS = ['--databases', '65536', '--bind', '127.0.0.1', '--daemonize', 'no', '--save', '']

/** Persists each acknowledged write. */
const DURABLE_SETTINGS = ['--appendonly', 'yes', '--appendfsync', 'always']

/** Runs the server and kills it. */
const RUN_AND_KILL = '"$@" & server=$!; read -r _; kill -9 $server; wait $server'

export type TestRedis = {
  readonly url: string
  /** Kills it, like a power failure. */
  readonly kill: () => Promise<void>
  /** Restarts it on the same port and data. */
  readonly start: () => Promise<void>
  /** Stops it and removes its data. */
  readonly stop: () => Promise<void>
}

/** Starts a Redis, installing it if allowed. A `durable` one keeps its data after `kill`. */
export async function startRedis({ durable = false } = {}): Promise<TestRedis> {
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
    ...(durable ? DURABLE_SETTINGS : []),
  ]
  let killServer: (() => Promise<void>) | undefined

  async function start(): Promise<void> {
    killServer = startGuard(RUN_AND_KILL, command)
    const deadline = Date.now() + READY_WITHIN_MS
    while (!(await isReady(port))) {
      if (Date.now() > deadline) throw new Error(`Redis could not be started from ${program}.`)
      await wait(5)
    }
  }
  async function kill(): Promise<void> {
    await killServer?.()
    killServer = undefined
  }
  const removeFolder = startGuard('read -r _; rm -rf "$1"', [folder])
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    start,
    async stop() {
      await kill()
      await removeFolder()
    },
  }
}

/** Whether it accepts commands; while loading its data it does not. */
async function isReady(port: number): Promise<boolean> {
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
