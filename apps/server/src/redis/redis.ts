import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { ConfigError } from '../config-error.ts'

/** Connections to Redis. Commands sent while it is unreachable are retried in order after reconnecting. */
export interface RedisConnections {
  readonly commands: Redis
  /** Receives messages from other nodes. Does not resubscribe automatically after reconnecting. */
  readonly subscriber: Redis
  /** Whether both are connected and Redis responds. */
  readonly ready: () => Promise<boolean>
  readonly close: () => Promise<void>
}

const START_TIMEOUT_MS = 5000
const MAX_RETRY_MS = 2000
/** A silent connection is considered lost after this time. */
const SILENCE_MS = 10_000
const PING_INTERVAL_MS = 5000
const RESPONSE_TIMEOUT_MS = 1000

/**
 * Connects to Redis 7 or newer, or a compatible server.
 *
 * @param onFailedCommand - called for each command that Redis refuses, or that is lost with a connection
 * @throws ConfigError - when it cannot be reached
 */
export async function openRedis(
  url: string,
  log: Logger,
  onFailedCommand: () => void = () => undefined,
): Promise<RedisConnections> {
  // Loaded on demand: nodes without Redis do not need the driver.
  const { Redis } = await import('ioredis')
  const options = {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times: number) => Math.min(times * 50, MAX_RETRY_MS),
  }
  const commands = new Redis(url, options)
  const subscriber = new Redis(url, options)
  const connections = [commands, subscriber]
  const send = commands.sendCommand.bind(commands)
  commands.sendCommand = (command, stream) => {
    command.promise.catch(onFailedCommand)
    return send(command, stream)
  }
  let lastError: Error | undefined
  for (const connection of connections) {
    connection.on('error', (error: Error) => {
      if (lastError === undefined) log.warn({ err: error }, 'redis connection lost')
      lastError = error
    })
    connection.on('ready', () => {
      lastError = undefined
    })
  }
  const disconnect = () => connections.forEach((connection) => connection.disconnect())
  try {
    await withTimeout(START_TIMEOUT_MS, Promise.all(connections.map((each) => each.connect())))
  } catch (error) {
    disconnect()
    const { message } = lastError ?? (error as Error)
    throw new ConfigError([
      `REDIS_URL cannot be used: ${message}. Check that Redis is running and that the address and password are correct`,
    ])
  }
  // Pings detect a lost connection, on which this one would otherwise wait for messages forever.
  const pinging = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined)
  }, PING_INTERVAL_MS)
  pinging.unref()
  return {
    commands,
    subscriber,
    async ready() {
      if (connections.some(({ status }) => status !== 'ready')) return false
      return (await resultWithin(RESPONSE_TIMEOUT_MS, commands.ping())) !== undefined
    },
    async close() {
      clearInterval(pinging)
      // With Redis unreachable, `quit` would wait forever.
      await resultWithin(RESPONSE_TIMEOUT_MS, commands.quit())
      disconnect()
    },
  }
}

/**
 * Returns the result of `work`, or undefined if it fails or takes longer than `ms`, so that callers do not wait for an
 * unreachable Redis.
 */
export async function resultWithin<Result>(
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  return withTimeout(ms, work).catch(() => undefined)
}

async function withTimeout<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
