/** Two nodes under load while the PostgreSQL primary is killed and its synchronous standby is promoted. */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { readIdentity } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { startBalancer } from '../support/balancer.ts'
import { type Browser, openBrowser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { startPostgresPair } from '../support/postgres-pair.ts'
import { startServer } from '../support/server-process.ts'
import { ON_POSTGRES } from '../support/test-database.ts'

const READERS = 8
const SIGNING_IN = 2
const SETTLED_MS = 3000
/** How long an operator's software takes to notice that the primary is gone. */
const NOTICED_AFTER_MS = 3000
/** How long after the kill a connection may still seem to be open. */
const UNDER_WAY_MS = 50

interface Answer {
  readonly startedAt: number
  readonly endedAt: number
  readonly result: string
}

test.runIf(!ON_POSTGRES)(
  '14 a failover under load: only requests in progress fail, with 503, and no acknowledged session is lost',
  async () => {
    await using postgres = await startPostgresPair()
    const environment = {
      DATABASE_URL: postgres.url,
      MASTER_KEY: randomBytes(32).toString('base64'),
      BOT_CHECK: 'off',
      LOG_LEVEL: 'fatal',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    await using first = await startServer({ environment })
    await using second = await startServer({ environment })
    await using balancer = await startBalancer()
    for (const { url } of [first, second]) balancer.add(url)

    let network = 0
    const open = (): Browser => {
      network += 1
      return openBrowser({
        url: () => balancer.url,
        origin: () => balancer.url,
        passcode: () => Promise.reject(new Error('This browser signs in by password')),
        headers: { 'x-forwarded-for': `10.${network >> 8}.${network & 255}.1` },
      })
    }
    const answers: Answer[] = []
    const signedIn: Browser[] = []
    const state = { isOver: false }
    const repeat = async (work: () => Promise<string>) => {
      while (!state.isOver) {
        const startedAt = performance.now()
        const result = await work().catch(String)
        answers.push({ startedAt, endedAt: performance.now(), result })
        await wait(5)
      }
    }
    const read = async (browser: Browser) => {
      const answer = await browser.fetch(readIdentity.path, {
        headers: { authorization: browser.jwt.read() ?? '' },
      })
      return `${answer.status} ${answer.ok ? '' : await answer.text()}`
    }
    const signIn = async () => {
      const browser = open()
      await browser.signIn(PEOPLE.individual)
      signedIn.push(browser)
      return '200 '
    }
    for (let each = 0; each < READERS; each += 1) await signIn()
    const work = [
      ...signedIn.slice(0, READERS).map((browser) => repeat(() => read(browser))),
      ...Array.from({ length: SIGNING_IN }, () => repeat(signIn)),
    ]

    await wait(SETTLED_MS)
    const acknowledged = signedIn.length
    postgres.killPrimary()
    const killedAt = performance.now()
    await wait(NOTICED_AFTER_MS)
    postgres.promoteStandby()
    const promotedAt = performance.now()
    await wait(SETTLED_MS)
    state.isOver = true
    await Promise.all(work)

    const failed = answers.filter(({ result }) => !result.startsWith('200'))
    const waiting = answers.filter(
      ({ startedAt, endedAt }) =>
        startedAt > killedAt && startedAt < promotedAt && endedAt > promotedAt,
    )
    console.log(
      `Requests: ${answers.length}; failed: ${failed.length}; waited for the standby: ${waiting.length}, at most ${Math.round(Math.max(...waiting.map(({ startedAt, endedAt }) => endedAt - startedAt)))} ms; first answer ${Math.round(Math.min(...answers.filter(({ endedAt }) => endedAt > promotedAt).map(({ endedAt }) => endedAt)) - promotedAt)} ms after the promotion`,
    )
    for (const { startedAt, result } of failed) {
      expect(startedAt - killedAt).toBeLessThan(UNDER_WAY_MS)
      expect(result).toMatch(/not-ready|The service is not ready/)
    }
    expect(waiting.length).toBeGreaterThan(0)
    expect(signedIn.length).toBeGreaterThan(acknowledged)
    for (const browser of signedIn) await browser.call(readIdentity, {})
  },
)
