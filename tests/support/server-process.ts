/**
 * The server in its own process, with only the environment variables that the test sets.
 * It can be stopped, killed and restarted on the same data.
 *
 * `tools/test/run.ts` names a bundle of the server and data with the demonstration's people, which it made for the run:
 * a start from the sources and on an empty folder takes three times as long.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Folder, temporaryFolder } from './temporary-folder.ts'

const { PATH, NODE_COMPILE_CACHE, PORTICO_TEST_SERVER, PORTICO_TEST_DATA } = process.env
/** The product's program, from the sources. */
export const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))
const DEFAULTS = { PATH, NODE_COMPILE_CACHE, PORT: '0', LOG_LEVEL: 'warn' }
const READY = /^Portico is ready: (\S+)\/auth\/login$/m

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** The data folder; if given, it is kept after the process ends. By default, a copy of the prepared data. */
  readonly dataDir?: string
  /** The program; by default the product's. */
  readonly program?: string
  /** The maximum file size in blocks of 512 bytes; beyond it the disk appears full. */
  readonly fileBlocks?: number
}

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly dataDir: string
  /** Its output so far. */
  readonly output: () => string
  /** Stops it gracefully; resolves to its exit code. */
  readonly stop: () => Promise<number | null>
  /** Kills it, like a power failure. */
  readonly kill: () => Promise<void>
}

/** A failed start. */
export class StartFailure extends Error {
  readonly exitCode: number | null
  readonly output: string

  constructor(exitCode: number | null, output: string) {
    super(`The server ended with ${exitCode} before it was ready.\n${output}`)
    this.name = 'StartFailure'
    this.exitCode = exitCode
    this.output = output
  }
}

/** A folder with the data of the demonstration, as a first start leaves it; empty outside `npm test`. */
export function preparedData(): Folder {
  const folder = temporaryFolder()
  if (PORTICO_TEST_DATA !== undefined) cpSync(PORTICO_TEST_DATA, folder.path, { recursive: true })
  return folder
}

// The prepared data has its own key, and no production process may open it.
const OWN_DATA = ['DATABASE_URL', 'MASTER_KEY', 'NODE_ENV']

/**
 * Starts a server and waits until it reports that it is ready.
 *
 * @throws StartFailure - if it exits before that
 */
export async function startServer({
  environment = {},
  dataDir,
  program: file = PORTICO_TEST_SERVER ?? MAIN,
  fileBlocks,
}: StartOptions = {}): Promise<ServerProcess> {
  const startsEmpty = OWN_DATA.some((name) => name in environment)
  const newFolder = () => (startsEmpty ? temporaryFolder() : preparedData())
  const folder = dataDir === undefined ? newFolder() : undefined
  const data = dataDir ?? folder?.path ?? ''
  const program = [process.execPath, file] as const
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -f ${fileBlocks}; exec "$@"`, 'sh', ...program]
  const [command = '', ...args] = fileBlocks === undefined ? program : limited
  const child = spawn(command, args, {
    env: { ...DEFAULTS, DATA_DIR: data, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // An interrupted test run must not leave servers behind.
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const started = listenTo(child)
  const url = await started.ready.catch((error: unknown) => {
    folder?.remove()
    throw error
  })
  return running(child, { url, dataDir: data, folder, output: started.output })
}

function listenTo(child: ChildProcess) {
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk
      const [, url] = READY.exec(output) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', reject)
    child.once('close', (code) => reject(new StartFailure(code, output)))
  })
  return { ready, output: () => output }
}

function running(
  child: ChildProcess,
  parts: { url: string; dataDir: string; folder: Folder | undefined; output: () => string },
): ServerProcess {
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    parts.folder?.remove()
    return child.exitCode
  }
  return {
    url: parts.url,
    dataDir: parts.dataDir,
    output: parts.output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    [Symbol.asyncDispose]: async () => void (await end('SIGTERM')),
  }
}
