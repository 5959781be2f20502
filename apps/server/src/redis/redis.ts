import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { ConfigError } from '../config-error.ts'

/** Connections to Redis. Whatever is asked while it is gone is asked again, in order, when it is back. */
export interface RedisConnections {
  readonly commands: Redis
  /** Hears what other nodes publish. It subscribes to nothing by itself when it comes back. */
  readonly subscriber: Redis
  /** Whether both are there and Redis answers. */
  readonly ready: () => Promise<boolean>
  readonly close: () => Promise<void>
}

const START_TIMEOUT_MS = 5000
const RETRY_MAXIMUM_MS = 2000
/** A Redis that neither answers nor closes the connection is gone after this time. */
const SILENCE_MS = 10_000
const PING_EVERY_MS = 5000
const ANSWER_TIMEOUT_MS = 1000

/**
 * Connects to Redis 7 or newer, or what understands it.
 *
 * @throws ConfigError - where it cannot be reached at the start
 */
export async function openRedis(url: string, log: Logger): Promise<RedisConnections> {
  // A node without it is there without the driver.
  const { Redis } = await import('ioredis')
  const options = {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times: number) => Math.min(times * 50, RETRY_MAXIMUM_MS),
  }
  const commands = new Redis(url, options)
  const subscriber = new Redis(url, options)
  const connections = [commands, subscriber]
  let fault: Error | undefined
  for (const connection of connections) {
    connection.on('error', (error: Error) => {
      if (fault === undefined) log.warn({ err: error }, 'redis is gone')
      fault = error
    })
    connection.on('ready', () => {
      fault = undefined
    })
  }
  const disconnect = () => connections.forEach((connection) => connection.disconnect())
  try {
    await within(START_TIMEOUT_MS, Promise.all(connections.map((each) => each.connect())))
  } catch (error) {
    disconnect()
    const { message } = fault ?? (error as Error)
    throw new ConfigError([`REDIS_URL cannot be used: ${message}`])
  }
  // A connection that only listens would not notice that the other end is gone.
  const pinging = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined)
  }, PING_EVERY_MS)
  pinging.unref()
  return {
    commands,
    subscriber,
    async ready() {
      if (connections.some(({ status }) => status !== 'ready')) return false
      return (await inTime(ANSWER_TIMEOUT_MS, commands.ping())) !== undefined
    },
    async close() {
      clearInterval(pinging)
      // What waits for a Redis that is gone would never be answered.
      await inTime(ANSWER_TIMEOUT_MS, commands.quit())
      disconnect()
    },
  }
}

/** What comes within so many milliseconds and is no fault; nothing otherwise. Whoever asks must not wait for a Redis that is gone. */
export async function inTime<Result>(
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined> {
  return within(ms, work).catch(() => undefined)
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
