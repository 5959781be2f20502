import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { openLog } from './operations/log.ts'
import { buildServer } from './server.ts'

/** How long requests under way may take to finish when the process is told to stop, in milliseconds. */
const GRACE_MS = 10_000

/** When a server that has started gives back what its start took, in milliseconds. */
const GIVE_BACK_AFTER_MS = 2000

try {
  await start()
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : inspect(error)}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const config = parseConfig(process.env)
  const log = openLog(config.logLevel)
  const server = await buildServer(config, { log })

  const stop = (signal: string) => {
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
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)

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

/**
 * Reading and checking what a server begins with takes 20 MB that it never needs again. Node keeps them unless it is
 * told that memory is short, which takes 30 ms and `--expose-gc` (`npm start` says it).
 */
function giveBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
