import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { type Config, dataLocation, parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { dataErrors } from './load-data.ts'
import { openLog } from './operations/log.ts'
import { serveCommand } from './operations/operator-socket.ts'
import { buildServer } from './server.ts'

/** How long requests in progress may take to finish after a stop signal, in milliseconds. */
const GRACE_MS = 10_000

/** How long after startup memory is released, in milliseconds. */
const RELEASE_MEMORY_AFTER_MS = 2000

try {
  await start()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : inspect(error)}\n`)
  process.exit(1)
}

/**
 * Listens on `PORT` or `MANAGEMENT_PORT`.
 *
 * @throws ConfigError - if another port or address is needed
 */
async function listen(
  app: FastifyInstance,
  { port, host, prefix }: { port: number; host: string; prefix: '' | 'MANAGEMENT_' },
): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const setting = `${prefix}PORT`
    if (code === 'EADDRINUSE') {
      throw new ConfigError([
        `${setting} ${port} is already in use. Stop the process that uses it, or set another ${setting}`,
      ])
    }
    if (code === 'EACCES') {
      throw new ConfigError([
        `${setting} ${port} requires privileges that this user does not have. Set another ${setting}`,
      ])
    }
    if (syscall === 'listen' || syscall === 'getaddrinfo') {
      throw new ConfigError([`${prefix}HOST ${host} is not an address of this machine (${code})`])
    }
    throw error
  }
}

async function start(): Promise<void> {
  const config = await readConfig()
  const log = openLog(config.logLevel)
  if (config.allowInsecure.length > 0) {
    log.warn({ settings: config.allowInsecure }, 'insecure values are allowed for these settings')
  }
  const server = await buildServer(config, { log })

  const { copyTo, mailSetupLink, manageOrganizations, manageWebhooks } = server
  const { dataDir } = config
  const commands =
    copyTo === undefined
      ? []
      : [
          serveCommand({ dataDir, command: 'backup', handle: copyTo, log }),
          serveCommand({ dataDir, command: 'organization', handle: manageOrganizations, log }),
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
    // A terminal signals every process of a command, and each forwards the signal.
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
  // `npm start` keeps an IPC channel to the server that closes when that process is killed.
  process.once('disconnect', () => stop('disconnect'))
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- undefined without a channel
  if (process.connected === false) stop('disconnect')

  try {
    // First, so that probes reach the process from the moment it serves requests.
    if (server.management !== undefined && config.managementPort !== undefined) {
      await listen(server.management, {
        port: config.managementPort,
        host: config.managementHost,
        prefix: 'MANAGEMENT_',
      })
    }
    await listen(server.app, { port: config.port, host: config.host, prefix: '' })
  } catch (error) {
    await server.close()
    throw error
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
 * Loading the configuration uses 20 MB that are never needed again, but Node does not return the memory to the system by
 * itself. This last-resort collection takes 30 ms and requires `--expose-gc`, which `npm start` sets.
 */
function releaseMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
