import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { type Config, dataLocation, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { dataErrors } from './load-data.ts'
import { serveBackups } from './operations/backup-socket.ts'
import { openLog } from './operations/log.ts'
import { buildServer } from './server.ts'

/** How long requests under way may take to finish when the process is told to stop, in milliseconds. */
const GRACE_MS = 10_000

/** When a server that has started gives back what its start took, in milliseconds. */
const GIVE_BACK_AFTER_MS = 2000

try {
  await start()
} catch (cause) {
  const error = inSentence(cause)
  process.stderr.write(`${error instanceof ConfigError ? error.message : inspect(error)}\n`)
  process.exit(1)
}

/** What the system refuses about a setting is the operator's to fix, so it is said in words and without a trace. */
function inSentence(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const { HOST = '', PORT = '' } = process.env
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return code === 'EACCES'
      ? new ConfigError([
          `PORT ${PORT} needs rights that this user does not have. Set another PORT`,
        ])
      : new ConfigError([`HOST ${HOST} is no address of this machine (${code})`])
  }
  return error
}

async function start(): Promise<void> {
  const config = await parsedConfig()
  const log = openLog(config.logLevel)
  if (config.allowInsecure.length > 0) {
    log.warn({ settings: config.allowInsecure }, 'insecure values of these settings are allowed')
  }
  const server = await buildServer(config, { log })

  const { copyTo } = server
  const backups = copyTo && serveBackups({ dataDir: config.dataDir, copyTo, log })

  let stopping = false
  const stop = (signal: string) => {
    // A terminal signals every process of a command, and each of those hands the signal on.
    if (stopping) return
    stopping = true
    backups?.close()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), GRACE_MS).unref()
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopped with a fault')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // `npm start` holds a channel to the server; it closes when that process is killed.
  process.once('disconnect', () => stop('disconnect'))
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- it is undefined without a channel
  if (process.connected === false) stop('disconnect')

  try {
    await server.app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await server.close()
    throw (error as { code?: string }).code === 'EADDRINUSE'
      ? new ConfigError([
          `PORT ${config.port} is taken. Stop what listens there, or set another PORT`,
        ])
      : error
  }
  const { port } = server.app.server.address() as AddressInfo
  const host = /^(?:0\.0\.0\.0|::|127\.0\.0\.1)$/.test(config.host) ? 'localhost' : config.host
  const url = config.publicUrl ?? `http://${host}:${port}`
  process.stdout.write(`Portico is ready: ${url}/auth/login\n`)
  if (!config.production) {
    process.stdout.write(`  Mailbox and people to sign in as: ${url}/dev/mailbox\n`)
  }
  setTimeout(giveBack, GIVE_BACK_AFTER_MS).unref()
}

/** The configuration. Where it has errors, those of the data files are reported with them. */
async function parsedConfig(): Promise<Config> {
  try {
    return parseConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...error.faults, ...(await dataErrors(dataLocation(process.env)))])
  }
}

/**
 * Reading and checking what a server begins with takes 20 MB that it never needs again. Node keeps them unless it is
 * told that memory is short, which takes 30 ms and `--expose-gc` (`npm start` says it).
 */
function giveBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
