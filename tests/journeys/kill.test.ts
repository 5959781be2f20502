/** @module-tag database */
import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@portico/client/api-error'
import {
  login,
  readIdentity,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testDatabase } from '../support/test-database.ts'
import { newPerson, OTHER_PASSWORD, PASSWORD, refusal } from '../support/world.ts'

const RUNS = process.env.PORTICO_EXHAUSTIVE !== undefined ? 60 : 2
const PEOPLE_AT_ONCE = 4

/** What the server has acknowledged for one person. */
interface AcknowledgedWrites {
  readonly email: string
  /** The last acknowledged password. */
  password?: string
  /** A password in flight when the server died: it or the previous one is valid. */
  sent?: string | undefined
  /** Codes with an acknowledged redemption. */
  readonly redeemed: { loginUuid: string; token: string }[]
  /** The browser of the last acknowledged sign-in. */
  browser?: Browser
}

/** The current server: after a kill another process on another port. */
interface Current {
  server: ServerProcess
  /** The number of answered calls. */
  answers: number
}

/** When to kill: after some more answers, during the next call, independent of the machine's speed. */
async function randomMoment(current: Current): Promise<void> {
  const enough = current.answers + randomInt(1, 45)
  while (current.answers < enough) await wait(1)
  await wait(randomInt(0, 15))
}

/** Signs one person in and out until the server is killed; any other failure fails the test. */
async function live(current: Current, promised: AcknowledgedWrites): Promise<void> {
  const { email } = promised
  try {
    for (;;) {
      const browser = open(current)
      if (promised.redeemed.length === 0) await browser.call(register, { body: { email } })
      const { uuid } = await browser.call(sendToken, { body: { email } })
      const ticket = { loginUuid: uuid, token: await passcode(current, email) }
      const { jwt = '' } = await browser.call(redeemToken, { body: ticket })
      browser.jwt.write(jwt)
      promised.redeemed.push(ticket)
      promised.browser = browser

      await browser.confirmByMail(email)
      const next = promised.password === PASSWORD ? OTHER_PASSWORD : PASSWORD
      promised.sent = next
      await browser.call(setPassword, { body: { newPassword: next } })
      promised.password = next
      promised.sent = undefined
      await open(current).call(login, { body: { email, password: next } })
    }
  } catch (error) {
    const isDisconnected = error instanceof ApiError && error.status === 0
    const enough = error instanceof ApiError && error.status === 429
    // The mailbox is read with plain fetch, which fails when the server is down.
    if (!isDisconnected && !enough && !(error instanceof TypeError)) throw error
  }
}

function open(current: Current): Browser {
  const url = () => current.server.url
  const browser = openBrowser({ url, origin: url, passcode: (email) => passcode(current, email) })
  const call: Browser['call'] = async (declared, input) => {
    const answer = await browser.call(declared, input)
    current.answers += 1
    return answer
  }
  return { ...browser, call }
}

async function passcode({ server }: Current, email: string): Promise<string> {
  const response = await fetch(`${server.url}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
  const messages = (await response.json()) as { text: string }[]
  return messages.map(({ text }) => /^\d{6}$/m.exec(text)?.[0]).find(Boolean) ?? ''
}

/** Checks the restarted server against everything it had acknowledged. */
async function expectDurable(current: Current, promised: AcknowledgedWrites): Promise<void> {
  const { email, password, sent, redeemed, browser } = promised
  for (const ticket of redeemed) {
    const again = open(current).call(redeemToken, { body: ticket })
    expect((await refusal(again)).code, email).toBe('code-used')
  }
  const opens = async (candidate: string) =>
    (await outcome(open(current).call(login, { body: { email, password: candidate } }))) === 200
  if (password !== undefined && sent === undefined) expect(await opens(password), email).toBe(true)
  if (password !== undefined && sent !== undefined) {
    expect([await opens(password), await opens(sent)], email).toContain(true)
  }
  if (browser !== undefined) expect(await outcome(browser.call(readIdentity, {})), email).toBe(200)
}

/** The HTTP status of a call. */
async function outcome(call: Promise<unknown>): Promise<number> {
  try {
    await call
    return 200
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

test(`4 killed at a random moment ${RUNS} times, the server loses nothing acknowledged and restarts without repair`, async () => {
  using data = temporaryFolder()
  const database = await testDatabase()
  const environment = {
    BOT_CHECK: 'off',
    LOG_LEVEL: 'error',
    ...(database === undefined ? {} : { DATABASE_URL: database.url }),
  }
  const start = () => startServer({ dataDir: data.path, environment })
  const current: Current = { server: await start(), answers: 0 }
  const completed = { redeemed: 0, chosen: 0 }
  try {
    // On a busy machine a kill may come before much was acknowledged; then there are more kills, up to a limit.
    const few = () => completed.redeemed <= RUNS || completed.chosen <= RUNS / 2
    for (let run = 0; run < RUNS || (few() && run < 4 * RUNS); run += 1) {
      const people = Array.from(
        { length: PEOPLE_AT_ONCE },
        (): AcknowledgedWrites => ({ email: newPerson('killed').email, redeemed: [] }),
      )
      const lives = Promise.all(people.map((promised) => live(current, promised)))
      await Promise.race([lives, randomMoment(current)])
      await current.server.kill()
      await lives
      current.server = await start()
      for (const promised of people) await expectDurable(current, promised)
      completed.redeemed += people.filter(({ redeemed }) => redeemed.length > 0).length
      completed.chosen += people.filter(({ password }) => password !== undefined).length
    }
  } finally {
    await current.server.stop()
    await database?.drop()
  }
  // Without enough acknowledged calls the runs would prove nothing.
  expect(completed.redeemed).toBeGreaterThan(RUNS)
  expect(completed.chosen).toBeGreaterThan(RUNS / 2)
})
