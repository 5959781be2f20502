// The server in production mode on any database: `NODE_ENV=production` would require PostgreSQL and a mail server.
import type { AddressInfo } from 'node:net'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'

// The shipped organizations have made-up contacts.
const config = { ...parseConfig(process.env), production: true, allowInsecure: ['CONFIG_DIR'] }
const server = await buildServer(config, { log: openLog(config.logLevel) })
await server.app.listen({ port: config.port, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo // A listening TCP server has this type.
process.stdout.write(`Portico is ready: http://127.0.0.1:${port}/auth/login\n`)
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
