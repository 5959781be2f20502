// @module-tag database
/** The server during database failures: closed or silent connections, a full disk. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { endSessions, makeRecoveryCodes } from '@portico/contracts/account-security'
import { logout, readIdentity, register, sendToken, setPassword } from '@portico/contracts/identity'
import { createHostedAccount } from '@portico/contracts/wallet'
import { parseConfig } from '@portico/server/config'
import { expect, test } from 'vitest'
import { openDatabase } from '../../apps/server/src/database/database.ts'
import { DatabaseUnavailable } from '../../apps/server/src/database/database-unavailable.ts'
import { allStores } from '../../apps/server/src/stores.ts'
import { openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES, testDatabase } from '../support/test-database.ts'
import { transactionPooler } from '../support/transaction-pooler.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

/** Sends reading and writing requests; returns each result and the slowest duration. */
async function load(server: ServerProcess, isOver: () => boolean) {
  const ends = new Set<number | string>()
  let slowestMs = 0
  const ask = async (worker: number) => {
    for (let each = 0; !isOver(); each += 1) {
      const startedAt = performance.now()
      const end = await requestPasscode(server, `${worker}.${each}@people.example`)
      ends.add(end)
      if (typeof end === 'string') return
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      await wait(20)
    }
  }
  await Promise.all(Array.from({ length: 30 }, (_, worker) => ask(worker)))
  return { ends, slowestMs }
}

/** Requests a passcode, a transaction of several statements; returns the status or the error. */
async function requestPasscode(server: ServerProcess, email: string): Promise<number | string> {
  try {
    const response = await fetch(`${server.url}/identity/api/v1/token/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress() },
      body: JSON.stringify({ email }),
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    return String((error as Error).cause ?? error)
  }
}

/** A different network for each request, to avoid rate limits. */
function anAddress(): string {
  const part = () => Math.floor(Math.random() * 254) + 1
  return `${part()}.${part()}.${part()}.1`
}

const status = async (server: ServerProcess, path: string) =>
  (await fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(5000) })).status

async function until(isTrue: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await wait(200)) {
    if (await isTrue()) return true
  }
  return false
}

/** A proxy to PostgreSQL that can silence connections: they stay open, but no data passes. */
async function silenceableProxy(target: URL) {
  const open = new Set<Socket>()
  let silent = false
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pass = (from: Socket, to: Socket) => {
      open.add(from)
      // A silenced connection stays silent.
      from.on('data', (chunk) => void (silenced.has(from) || silent || to.write(chunk)))
      from.on('error', () => to.destroy()).on('close', () => (open.delete(from), to.destroy()))
    }
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  const silenced = new WeakSet<Socket>()
  await once(server, 'listening')
  const { port } = server.address() as { port: number } // A listening TCP server has this type.
  return {
    url: Object.assign(new URL(target), { port: `${port}` }).href,
    silence() {
      silent = true
      for (const socket of open) silenced.add(socket)
    },
    /** Lets new connections work again. */
    recover() {
      for (const socket of open) silenced.add(socket)
      silent = false
    },
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

const environment = { BOT_CHECK: 'off', LOG_LEVEL: 'silent', TRUSTED_PROXIES: '127.0.0.1' }

test
  .runIf(ON_POSTGRES)
  .concurrent(
    'a lost connection to PostgreSQL fails its requests with 503 and never the process',
    async () => {
      const database = await testDatabase()
      if (database === undefined) throw new Error('This run has no PostgreSQL')
      await using server = await startServer({
        environment: { ...environment, DATABASE_URL: database.url },
      })
      let isOver = false
      const loading = load(server, () => isOver)
      let ended = 0
      for (let round = 0; round < 20; round += 1) {
        await wait(50)
        ended += (
          await database.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
        ).length
      }
      isOver = true
      const { ends } = await loading
      expect(ends).toEqual(new Set([200, 503]))
      // More requests than pooled connections, so that all are replaced.
      expect(ended).toBeGreaterThan(20)
      expect(await requestPasscode(server, 'after@people.example')).toBe(200)
      expect(await status(server, '/readyz')).toBe(200)
      expect(await server.stop()).toBe(0)
      await database.drop()
    },
  )

test
  .runIf(ON_POSTGRES)
  .concurrent(
    'behind a pooler in transaction mode the server migrates, serves and keeps sessions',
    async () => {
      const database = await testDatabase()
      if (database === undefined) throw new Error('This run has no PostgreSQL')
      const pooler = await transactionPooler(new URL(database.url))
      await using server = await startServer({
        environment: { ...environment, DATABASE_URL: pooler.url },
      })
      const signIn = async () => {
        const browser = openBrowser({
          url: () => server.url,
          origin: () => server.url,
          passcode: () => Promise.reject(new Error('This browser signs in by password')),
        })
        await browser.signIn(PEOPLE.individual)
        return browser
      }
      // Each statement more than once on each connection.
      const browsers = [await signIn(), await signIn(), await signIn()]
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(browsers.map((browser) => browser.call(readIdentity, {})))
        expect(await requestPasscode(server, `${round}@people.example`)).toBe(200)
      }
      expect(await status(server, '/readyz')).toBe(200)
      expect(await server.stop()).toBe(0)
      pooler.close()
      await database.drop()
    },
  )

test
  .runIf(ON_POSTGRES)
  .concurrent(
    'a transaction fails as unavailable if PostgreSQL closes its connection, though its rollback fails too',
    async () => {
      const database = await testDatabase()
      if (database === undefined) throw new Error('This run has no PostgreSQL')
      const opened = await openDatabase(parseConfig({ DATABASE_URL: database.url }))
      const stores = allStores(opened)
      const lost = await stores.atomically(async (holding) => {
        await holding.counters.increment('held', 0, 1000)
        // The second statement is still queued when the first one, waiting for the row lock, fails.
        const waiting = stores
          .atomically(({ counters }) =>
            Promise.all([counters.increment('held', 0, 1000), counters.increment('free', 0, 1000)]),
          )
          .catch((error: unknown) => error)
        const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`
        expect(await until(async () => (await database.query(terminate)).length > 0, 5000)).toBe(
          true,
        )
        return waiting
      })
      expect(lost).toBeInstanceOf(DatabaseUnavailable)
      expect((await stores.counters.increment('held', 0, 1000)).count).toBe(2)
      await opened.destroy()
      await database.drop()
    },
  )

test
  .runIf(ON_POSTGRES)
  .concurrent(
    'connections to PostgreSQL that fall silent are dropped, and new ones work within 15 seconds',
    async () => {
      const database = await testDatabase()
      if (database === undefined) throw new Error('This run has no PostgreSQL')
      const proxy = await silenceableProxy(new URL(database.url))
      await using server = await startServer({
        environment: { ...environment, DATABASE_URL: proxy.url },
      })
      let isOver = false
      const loading = load(server, () => isOver)
      await wait(500)
      expect(await status(server, '/readyz')).toBe(200)
      proxy.silence()
      expect(await until(async () => (await status(server, '/readyz')) === 503, 4000)).toBe(true)
      expect(await status(server, '/healthz')).toBe(200)
      expect(await status(server, '/auth/login')).toBe(200)
      expect(await status(server, '/auth/register')).toBe(200)
      // Long enough that connections opened meanwhile are silent too.
      await wait(13_000)
      proxy.recover()
      expect(await until(async () => (await status(server, '/readyz')) === 200, 15_000)).toBe(true)
      const recovered = await Promise.all(
        Array.from({ length: 30 }, (_, each) =>
          requestPasscode(server, `${each}@recovered.example`),
        ),
      )
      expect(new Set(recovered)).toEqual(new Set([200]))
      isOver = true
      const { ends, slowestMs } = await loading
      expect(ends).toEqual(new Set([200, 503]))
      expect(slowestMs).toBeLessThan(60_000)
      expect(await server.stop()).toBe(0)
      proxy.close()
      await database.drop()
    },
  )

/** Refuses each commit that has an audit event, as on a full disk. */
const REFUSE_COMMITS = `
  create function refuse_commit() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create constraint trigger refuse_commit after insert on audit_events
    deferrable initially deferred for each row execute function refuse_commit()`

const COUNTS = `select (select count(*) from sessions where ended_at is null) as sessions,
  (select count(*) from registrations) as registrations, (select count(*) from messages) as messages,
  (select count(*) from passcodes) as passcodes, (select count(*) from recovery_codes) as codes,
  (select count(*) from wallets) as wallets, (select count(*) from hosted_keys) as keys,
  (select sum(credential_version) from identities) as versions, (select count(*) from audit_events) as events`

test.runIf(ON_POSTGRES)(
  'a commit that PostgreSQL refuses is answered with 503 and changes nothing, and the mail of the next attempt arrives',
  async () => {
    const owner = newPerson('full')
    const stranger = newPerson('stranger')
    await using world = await aWorld()
    await world.browser().register(owner)
    const browser = world.browser()
    await browser.signIn(owner)
    await browser.confirmByMail(owner.email)
    const before = await world.query(COUNTS)
    const invite = () => world.browser().call(sendToken, { body: { email: stranger.email } })
    const calls = [
      () => browser.signIn(owner),
      () => world.browser().call(sendToken, { body: { email: owner.email } }),
      invite,
      () => browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } }),
      () => browser.call(makeRecoveryCodes, {}),
      () => browser.call(createHostedAccount, { body: { name: 'Wallet' } }),
      () => browser.call(endSessions, { body: { which: 'others' } }),
      () => world.browser().call(register, { body: { email: stranger.email } }),
      // Last, because it removes the browser's cookie.
      () => browser.call(logout, {}),
    ]
    await world.query(REFUSE_COMMITS)
    for (const call of calls) {
      expect(await refusal(call())).toMatchObject({ status: 503, code: 'not-ready' })
    }
    await world.query('drop function refuse_commit cascade')
    expect(await world.query(COUNTS)).toEqual(before)
    await invite()
    expect(await world.mail(stranger.email)).toHaveLength(1)
    expect(await world.browser().signIn(owner)).toEqual({ jwt: expect.any(String) })
  },
)

/** Enough space for the log of a few dozen writes. */
const MEGABYTE_BLOCKS = 2048

test.runIf(!ON_POSTGRES)(
  'on a full disk the server is alive but not ready, and a logout still removes the cookie',
  async () => {
    using data = temporaryFolder()
    await (await startServer({ dataDir: data.path, environment })).stop()
    await using server = await startServer({
      dataDir: data.path,
      environment,
      fileBlocks: MEGABYTE_BLOCKS,
    })
    const post = (path: string, body: unknown, cookie = '') =>
      fetch(`${server.url}/identity/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server.url, cookie },
        body: JSON.stringify(body),
      })
    const signedIn = await post('v2/login', PEOPLE.individual)
    expect(signedIn.status).toBe(200)
    const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';', 1)[0])
    expect(await status(server, '/readyz')).toBe(200)

    const ends = new Set<number | string>()
    for (let each = 0; !ends.has(503) && each < 200; each += 1) {
      ends.add(await requestPasscode(server, `${each}@people.example`))
    }
    expect(ends).toEqual(new Set([200, 503]))
    // The probe's own write is smaller, so it fits a few times more; it is repeated once a second.
    expect(await until(async () => (await status(server, '/readyz')) === 503, 60_000)).toBe(true)
    expect(await status(server, '/healthz')).toBe(200)
    expect(await status(server, '/auth/login')).toBe(200)

    const signedOut = await post('v1/logout', {}, cookies.join('; '))
    expect(signedOut.status).toBe(503)
    expect(signedOut.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^portico-session=;.*max-age=0/i),
    ])
  },
)
