// The product with a movable clock, because renewal happens in the second half of a
// token's life, twelve minutes after its start.
import type { AddressInfo } from 'node:net'
import { parseConfig } from '@portico/server/config'
import { openLog } from '@portico/server/log'
import { buildServer } from '@portico/server/server'

/** One pair sends as much as thousands would. */
const UNLIMITED = {
  framesPerSecond: 1e9,
  framesAtOnce: 1e9,
  bytesPerSecondPerNetwork: 1e12,
  bytesAtOncePerNetwork: 1e12,
}

let ahead = 0
const config = parseConfig(process.env)
const server = await buildServer(config, {
  log: openLog(config.logLevel),
  clock: () => Date.now() + ahead,
  ...(process.env.PORTICO_TEST_RELAY_UNLIMITED === '1' ? { relayLimits: UNLIMITED } : {}),
})
await server.app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (server.app.server.address() as AddressInfo).port })

process.on('message', ({ pass = 0 }: { pass?: number }) => {
  ahead += pass
  process.send?.(process.cpuUsage())
})
const stop = () => void server.close().then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('disconnect', stop)
