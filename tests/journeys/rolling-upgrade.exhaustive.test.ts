/** Two nodes on PostgreSQL and Redis behind a proxy, under load, while versions and the database are replaced. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readIdentity } from '@portico/contracts/identity'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../tools/machine/postgres.ts'
import { startRedis, type TestRedis } from '../../tools/machine/redis.ts'
import { ROOT } from '../../tools/setup/processes.mjs'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { previousVersion, thisRelease } from '../support/release.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'

const READERS = 8
const SETTLED_MS = 3000
/** Each reader stays below the limit of its network, 600 reads a minute. */
const PACE_MS = 40
const RECOVERED_WITHIN_MS = 15_000

let postgres: TestPostgres
let redis: TestRedis
let program: string
let migrate: string

beforeAll(async () => {
  if (ON_POSTGRES) return
  const { folder } = await thisRelease()
  program = join(folder, 'bin/server.js')
  migrate = join(folder, 'bin/migrate.js')
  postgres = await startPostgres()
  redis = await startRedis()
})
afterAll(async () => {
  await redis?.stop()
  await postgres?.stop()
})

const previous = ON_POSTGRES ? undefined : previousVersion()

async function settings(): Promise<Record<string, string>> {
  const name = `upgrade_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return {
    DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href,
    REDIS_URL: redis.url,
    MASTER_KEY: randomBytes(32).toString('base64'),
    BOT_CHECK: 'off',
    LOG_LEVEL: 'error',
    TRUSTED_PROXIES: '127.0.0.1',
    // A release contains no organizations.
    CONFIG_DIR: join(ROOT, 'config'),
  }
}

/** Signed-in browsers that read all the time, sign-ins, and pages; counts the answers by status. */
async function load(balancer: Balancer) {
  const answers = new Map<number | string, number>()
  const count = (answer: number | string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
  const state = { isOver: false }
  const open = (network: number): Browser =>
    openBrowser({
      url: () => balancer.url,
      origin: () => balancer.url,
      passcode: () => Promise.reject(new Error('This browser signs in by password')),
      headers: { 'x-forwarded-for': `10.1.${network}.1` },
    })
  const readers = await Promise.all(
    Array.from({ length: READERS }, async (_, each) => {
      const browser = open(each)
      await browser.signIn(each % 2 === 0 ? PEOPLE.individual : PEOPLE.several)
      return browser
    }),
  )
  const repeat = async (work: () => Promise<Response>) => {
    while (!state.isOver) {
      count(
        await work().then(async (answer) => (await answer.arrayBuffer(), answer.status), String),
      )
      await wait(PACE_MS)
    }
  }
  const read = (browser: Browser) => () =>
    browser.fetch(readIdentity.path, {
      headers: { authorization: browser.jwt.read() ?? '' },
    })
  let signIns = 0
  const signIn = () => {
    signIns += 1
    return open(100 + (signIns % 100)).fetch('/identity/api/v2/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(PEOPLE.individual),
    })
  }
  const work = [
    ...readers.map((browser) => repeat(read(browser))),
    repeat(signIn),
    repeat(() => fetch(`${balancer.url}/auth/login`)),
  ]
  return {
    answers,
    /** Ends the load, and checks that every session is alive. */
    async end() {
      state.isOver = true
      await Promise.all(work)
      for (const browser of readers) await browser.call(readIdentity, {})
    },
  }
}

async function replace(
  balancer: Balancer,
  node: ServerProcess,
  start: () => Promise<ServerProcess>,
): Promise<ServerProcess> {
  balancer.remove(node.url)
  // With requests in progress.
  expect(await node.stop()).toBe(0)
  const fresh = await start()
  balancer.add(fresh.url)
  return fresh
}

test.runIf(previous !== undefined)(
  '10 F1 a rolling upgrade from the previous version under load: no request fails, and no session ends',
  async () => {
    using data = temporaryFolder()
    const environment = await settings()
    const common = { dataDir: data.path, environment }
    const start = (file: string) =>
      startServer({
        ...common,
        environment: { ...environment, MIGRATE: 'separately' },
        program: file,
      })
    const before = join(previous ?? '', 'apps/server/src/main.ts')
    const startBefore = () => startServer({ ...common, program: before })
    const old = [await startBefore(), await startBefore()] as const
    await using balancer = await startBalancer()
    for (const { url } of old) balancer.add(url)
    const loading = await load(balancer)
    await wait(SETTLED_MS)

    await expect(start(program)).rejects.toThrow('npm run migrate')
    execFileSync(process.execPath, [migrate], {
      env: { PATH: process.env.PATH, DATA_DIR: data.path, ...environment },
    })
    await wait(SETTLED_MS)
    await using first = await replace(balancer, old[0], () => start(program))
    // Requests of one session now alternate between the versions.
    await wait(SETTLED_MS)
    await using second = await replace(balancer, old[1], () => start(program))
    await wait(SETTLED_MS)
    expect(first.url).not.toBe(second.url)

    await loading.end()
    console.log('Answers during the upgrade:', Object.fromEntries(loading.answers))
    expect([...loading.answers.keys()]).toEqual([200])
    expect(loading.answers.get(200)).toBeGreaterThan(500)
  },
)

test.runIf(!ON_POSTGRES)(
  '10 F1 PostgreSQL restarts under load: calls wait or fail with 503, and every session continues',
  async () => {
    using data = temporaryFolder()
    const environment = await settings()
    const start = () => startServer({ dataDir: data.path, environment, program })
    await using first = await start()
    await using second = await start()
    await using balancer = await startBalancer()
    for (const { url } of [first, second]) balancer.add(url)
    const loading = await load(balancer)
    for (let round = 0; round < 3; round += 1) {
      await wait(SETTLED_MS)
      postgres.restart()
      const recoveredBy = performance.now() + RECOVERED_WITHIN_MS
      for (const { url } of [first, second]) {
        while ((await fetch(`${url}/readyz`)).status !== 200) {
          expect(performance.now()).toBeLessThan(recoveredBy)
          await wait(50)
        }
      }
    }
    await wait(SETTLED_MS)
    await loading.end()
    console.log('Answers during three restarts:', Object.fromEntries(loading.answers))
    expect([200, 503]).toEqual(expect.arrayContaining([...loading.answers.keys()]))
    expect(loading.answers.get(200)).toBeGreaterThan(0)
  },
)
