/** The synchronous standby of PostgreSQL is lost, so that commits wait for it without an end. */
import { setTimeout as wait } from 'node:timers/promises'
import { readIdentity } from '@portico/contracts/identity'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { startPostgresPair } from '../support/postgres-pair.ts'
import { startServer } from '../support/server-process.ts'
import { ON_POSTGRES } from '../support/test-database.ts'

const CONNECTIONS = 8
/** Long enough for writes to be given up, and others after them. */
const STANDBY_LOST_MS = 28_000
/** What PostgreSQL and this test use. */
const OWN_CONNECTIONS = 2

test.runIf(!ON_POSTGRES)(
  'without the synchronous standby reads continue, writes are never confirmed, and no connection is left behind',
  async () => {
    await using postgres = await startPostgresPair()
    const environment = {
      DATABASE_URL: postgres.url,
      DATABASE_CONNECTIONS: `${CONNECTIONS}`,
      BOT_CHECK: 'off',
      LOG_LEVEL: 'silent',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    await using server = await startServer({ environment })
    const browser = openBrowser({
      url: () => server.url,
      origin: () => server.url,
      passcode: () => Promise.reject(new Error('This browser signs in by password')),
    })
    await browser.signIn(PEOPLE.individual)
    let network = 0
    const aNetwork = () => {
      network += 1
      return `10.${network >> 8}.${network & 255}.1`
    }
    const write = async () => {
      const response = await fetch(`${server.url}/identity/api/v1/token/send`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': aNetwork(),
        },
        body: JSON.stringify({ email: `${network}@people.example` }),
      })
      await response.arrayBuffer()
      return response.status
    }
    const read = async () => {
      const response = await browser.fetch(readIdentity.path, {
        headers: { authorization: browser.jwt.read() ?? '', 'x-forwarded-for': aNetwork() },
      })
      await response.arrayBuffer()
      return response.status
    }
    expect(await write()).toBe(200)

    postgres.stopStandby()
    await using observer = await connected(postgres.url)
    const [reads, writes]: [number[], number[]] = [[], []]
    let most = 0
    const state = { isOver: false }
    const repeat = async (work: () => Promise<unknown>) => {
      while (!state.isOver) {
        await work()
        await wait(50)
      }
    }
    const work = [
      ...Array.from({ length: 20 }, () => repeat(async () => writes.push(await write()))),
      ...Array.from({ length: 3 }, () => repeat(async () => reads.push(await read()))),
      repeat(async () => {
        most = Math.max(most, await observer.countConnections())
      }),
    ]
    await wait(STANDBY_LOST_MS)
    state.isOver = true
    await Promise.all(work)

    expect(new Set(reads)).toEqual(new Set([200]))
    expect(reads.length).toBeGreaterThan(100)
    expect(new Set(writes)).toEqual(new Set([503]))
    // A connection that was given up is counted until PostgreSQL has handled its cancellation.
    expect(most).toBeLessThanOrEqual(2 * CONNECTIONS + OWN_CONNECTIONS)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/portico_database_errors_total\{reason="no-response"\} [1-9]/)
    expect(metrics).toMatch(/portico_database_errors_total\{reason="writes-stalled"\} [1-9]/)

    postgres.startStandby()
    await expect.poll(write, { timeout: 30_000, interval: 500 }).toBe(200)
    await expect
      .poll(() => observer.countConnections(), { timeout: 20_000, interval: 200 })
      .toBeLessThanOrEqual(CONNECTIONS + OWN_CONNECTIONS)
  },
)

test.runIf(!ON_POSTGRES)(
  'a commit whose wait for the standby an operator cancels is not confirmed, although PostgreSQL reports success',
  async () => {
    await using postgres = await startPostgresPair()
    await using server = await startServer({
      environment: { DATABASE_URL: postgres.url, BOT_CHECK: 'off', LOG_LEVEL: 'silent' },
    })
    postgres.stopStandby()
    await using observer = await connected(postgres.url)
    const answer = fetch(`${server.url}/identity/api/v1/registration/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'canceled@people.example' }),
    })
    let status: number | undefined
    void answer.then((response) => {
      status = response.status
    })
    await expect
      .poll(
        async () => {
          await observer.cancelWaits()
          return status
        },
        { timeout: 10_000, interval: 100 },
      )
      .toBe(503)
  },
)

async function connected(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    async countConnections() {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`,
      )
      return rows[0]?.count ?? 0
    },
    cancelWaits: () =>
      client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      ),
    [Symbol.asyncDispose]: () => client.end(),
  }
}
