import { randomInt } from 'node:crypto'
import { pino } from 'pino'
import { openRedis, type RedisConnections } from './redis.ts'

/** The Redis of the test run. `npm test` starts it; without it, tests that need Redis are skipped. */
// oxlint-disable-next-line node/no-process-env -- the test run passes its Redis to the tests
export const TEST_REDIS_URL = process.env['PORTICO_TEST_REDIS_URL']

/** Connects to a separate database on the test run's Redis. */
export async function ownTestRedis(): Promise<RedisConnections> {
  return openRedis(`${TEST_REDIS_URL}/${randomInt(1, 65_536)}`, pino({ level: 'silent' }))
}
