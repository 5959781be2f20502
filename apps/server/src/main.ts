import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { type Config, dataLocation, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { dataErrors } from './load-data.ts'
import { openLog } from './operations/log.ts'
import { serveCommand } from './operations/operator-socket.ts'
import { buildServer } from './server.ts'

/** How long requests in progress may take to finish after a stop signal, in milliseconds. */
const GRACE_MS = 10_000

/** How long after the start memory is released, in milliseconds. */
const RELEASE_MEMORY_AFTER_MS = 2000

try {
  await start()
} catch (cause) {
  const error = readableError(cause)
  process.stderr.write(`${error instanceof ConfigError ? error.message : inspect(error)}\n`)
  process.exit(1)
}

/** Turns system errors that an operator can fix by a setting into a sentence without a stack trace. */
function readableError(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  const { HOST = '', PORT = '' } = process.env
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return code === 'EACCES'
      ? new ConfigError([
          `PORT ${PORT} requires privileges that this user does not have. Set another PORT`,
        ])
      : new ConfigError([`HOST ${HOST} is not an address of this machine (${code})`])
  }
  return error
}

async function start(): Promise<void> {
  const config = await readConfig()
  const log = openLog(config.logLevel)
  if (config.allowInsecure.length > 0) {
    log.warn({ settings: config.allowInsecure }, 'insecure values are allowed for these settings')
  }
  const server = await buildServer(config, { log })

  const { copyTo, mailSetupLink, manageWebhooks } = server
  const { dataDir } = config
  const commands =
    copyTo === undefined
      ? []
      : [
          serveCommand({ dataDir, command: 'backup', handle: copyTo, log }),
          serveCommand({
            dataDir,
            command: 'sso-link',
            handle: (text) => mailSetupLink(text.split(' ')),
            log,
          }),
          serveCommand({
            dataDir,
            command: 'webhooks',
            handle: (text) => manageWebhooks(text.split(' ')),
            log,
          }),
        ]

  let stopping = false
  const stop = (signal: string) => {
    // A terminal signals every process of a command, and each of them forwards the signal.
    if (stopping) return
    stopping = true
    for (const command of commands) command.close()
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), GRACE_MS).unref()
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // `npm start` keeps an IPC channel to the server, which closes when that process is killed.
  process.once('disconnect', () => stop('disconnect'))
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- undefined without a channel
  if (process.connected === false) stop('disconnect')

  try {
    await server.app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await server.close()
    throw (error as { code?: string }).code === 'EADDRINUSE'
      ? new ConfigError([
          `PORT ${config.port} is already in use. Stop the process that uses it, or set another PORT`,
        ])
      : error
  }
  const { port } = server.app.server.address() as AddressInfo
  const host = /^(?:0\.0\.0\.0|::|127\.0\.0\.1)$/.test(config.host) ? 'localhost' : config.host
  const url = config.publicUrl ?? `http://${host}:${port}`
  process.stdout.write(`Portico is ready: ${url}/auth/login\n`)
  if (!config.production) {
    process.stdout.write(`  Mailbox and demonstration users: ${url}/dev/mailbox\n`)
  }
  setTimeout(releaseMemory, RELEASE_MEMORY_AFTER_MS).unref()
}

/** Parses the configuration. If it has errors, those of the data files are reported with them. */
async function readConfig(): Promise<Config> {
  try {
    return parseConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError([...error.errors, ...(await dataErrors(dataLocation(process.env)))])
  }
}

/**
 * Loading the configuration uses 20 MB that are never needed again, but Node does not return them to the system by
 * itself. This last-resort collection takes 30 ms and requires `--expose-gc`, which `npm start` sets.
 */
function releaseMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
