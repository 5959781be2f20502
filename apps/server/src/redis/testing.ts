import { randomInt } from 'node:crypto'
import { pino } from 'pino'
import { openRedis, type RedisConnections } from './redis.ts'

/** The Redis of the run, where there is one: `npm test` starts it, a single file can do without. */
// oxlint-disable-next-line node/no-process-env -- the run tells its tests where its Redis is
export const TEST_REDIS_URL = process.env['PORTICO_TEST_REDIS_URL']

/** Connects to a database of its own on the run's Redis. */
export async function ownTestRedis(): Promise<RedisConnections> {
  return openRedis(`${TEST_REDIS_URL}/${randomInt(1, 65_536)}`, pino({ level: 'silent' }))
}
