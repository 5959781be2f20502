import { beginPhone } from '@portico/contracts/account-security'
import { login, redeemToken, register, sendToken } from '@portico/contracts/identity'
import { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { sendSecondFactor } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000

const guess = (browser: Browser, email: string) =>
  refusal(browser.call(login, { body: { email, password: 'not the password' } }))
const send = (browser: Browser, email: string) => browser.call(sendToken, { body: { email } })

async function guessTimes(browser: Browser, email: string, times: number): Promise<void> {
  for (let each = 0; each < times; each += 1) {
    expect(await guess(browser, email)).toMatchObject({ status: 400, code: 'wrong-credentials' })
  }
}

test('8 after ten wrong passwords and codes together, correct ones are locked out too', async () => {
  const owner = newPerson('guessed')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await guessTimes(browser, owner.email, 5)
  for (let each = 0; each < 5; each += 1) {
    const { uuid } = await send(browser, owner.email)
    const code = await world.passcode(owner.email)
    const wrong = code === '111111' ? '222222' : '111111'
    const call = browser.call(redeemToken, { body: { loginUuid: uuid, token: wrong } })
    expect((await refusal(call)).code).toBe('code-wrong')
    if (each === 4) {
      const right = browser.call(redeemToken, { body: { loginUuid: uuid, token: code } })
      expect(await refusal(right)).toMatchObject({ status: 429, code: 'too-many-requests' })
    }
  }
  const refused = await refusal(browser.signIn(owner))
  expect(refused).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect(refused.retryAfterS).toBeGreaterThan(55)
  expect(refused.retryAfterS).toBeLessThanOrEqual(60)
})

test('8 the lockout doubles with each wrong attempt, and a correct one ends it', async () => {
  const owner = newPerson('waiting')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await guessTimes(browser, owner.email, 10)
  const waits: number[] = []
  for (let each = 0; each < 4; each += 1) {
    const { retryAfterS = 0 } = await guess(browser, owner.email)
    waits.push(Math.ceil(retryAfterS / 60))
    world.clock.pass(retryAfterS * 1000)
    expect((await guess(browser, owner.email)).status).toBe(400)
  }
  expect(waits).toEqual([1, 2, 4, 8])
  const { retryAfterS = 0 } = await guess(browser, owner.email)
  world.clock.pass(retryAfterS * 1000)
  expect(await browser.signIn(owner)).toEqual({ jwt: expect.any(String) })
})

test('8 attempts during the lockout do not extend it', async () => {
  const owner = newPerson('impatient')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await guessTimes(browser, owner.email, 10)
  for (let each = 0; each < 5; each += 1)
    expect((await guess(browser, owner.email)).status).toBe(429)
  world.clock.pass(MINUTE_MS)
  expect(await browser.signIn(owner)).toEqual({ jwt: expect.any(String) })
})

test('8 an hour after the first attempt ten more are allowed', async () => {
  const owner = newPerson('patient')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await guessTimes(browser, owner.email, 10)
  world.clock.pass(60 * MINUTE_MS)
  await guessTimes(browser, owner.email, 10)
  expect((await guess(browser, owner.email)).status).toBe(429)
})

test('8 attempts at an unknown address have the same limits, so the limits reveal nothing', async () => {
  await using world = await aWorld()
  const { email } = newPerson('unknown')
  const browser = world.browser()
  await guessTimes(browser, email, 10)
  expect((await guess(browser, email)).status).toBe(429)
})

test('8 a browser that has signed in before has its own attempts, so strangers cannot lock its owner out', async () => {
  const owner = newPerson('locked-out')
  await using world = await aWorld().withCustomer(owner)
  const own = world.browser()
  await own.signIn(owner)
  await own.logOut()
  const stranger = world.browser()
  await guessTimes(stranger, owner.email, 10)
  expect((await guess(stranger, owner.email)).status).toBe(429)
  expect(await own.signIn(owner)).toEqual({ jwt: expect.any(String) })
  await own.logOut()

  await guessTimes(own, owner.email, 10)
  expect((await refusal(own.signIn(owner))).status).toBe(429)
})

test('8 a browser known to one person has no separate attempts for another', async () => {
  const [owner, attacker] = [newPerson('owner'), newPerson('attacker')]
  await using world = await aWorld().withCustomer(owner).withCustomer(attacker)
  const own = world.browser()
  await own.signIn(attacker)
  await own.logOut()
  await guessTimes(own, owner.email, 10)
  expect((await guess(world.browser(), owner.email)).status).toBe(429)
})

test('8 correct passwords do not count as attempts', async () => {
  const owner = newPerson('busy')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  for (let each = 0; each < 12; each += 1) {
    expect(await browser.signIn(owner)).toEqual({ jwt: expect.any(String) })
  }
})

test('8 a recipient gets five codes in ten minutes, known or not, and then Retry-After', async () => {
  const owner = newPerson('sent')
  await using world = await aWorld().withCustomer(owner)
  for (const email of [owner.email, newPerson('unknown').email]) {
    const browser = world.browser()
    await send(browser, email)
    world.clock.pass(4 * MINUTE_MS)
    for (let each = 0; each < 4; each += 1) await send(world.browser(), email)
    const refused = await refusal(send(world.browser(), email))
    expect(refused).toMatchObject({ status: 429, code: 'too-many-requests' })
    expect(refused.retryAfterS).toBeGreaterThan(5 * 60)
    expect(refused.retryAfterS).toBeLessThanOrEqual(6 * 60)
    world.clock.pass((refused.retryAfterS ?? 0) * 1000)
    await send(browser, email)
  }
})

test('8 one network gets 300 expensive calls in ten minutes; others are not affected', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const from = (address: string) => world.browser({ headers: { 'x-forwarded-for': address } })
  const begin = (browser: Browser) =>
    browser.call(register, { body: { email: newPerson('flood').email } })
  const flood = from('2001:db8:1:2::1')
  for (let each = 0; each < 300; each += 1) await begin(flood)
  const refused = await refusal(begin(from('2001:db8:1:2:ffff::9')))
  expect(refused).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect(refused.retryAfterS).toBeGreaterThan(500)
  expect((await begin(from('2001:db8:1:3::1'))).jwt).toMatch(/^ey/)
  world.clock.pass(10 * MINUTE_MS)
  expect((await begin(flood)).jwt).toMatch(/^ey/)
})

test('9 a forwarded address counts only from a trusted proxy', async () => {
  await using world = await aWorld()
  const begin = (address: string) =>
    world
      .browser({ headers: { 'x-forwarded-for': address } })
      .call(register, { body: { email: newPerson('flood').email } })
  for (let each = 0; each < 300; each += 1) await begin(`203.0.113.${each % 250}`)
  expect((await refusal(begin('203.0.113.251'))).status).toBe(429)
})

test('8 an address gets ten continue-application mails a day, no matter who requests them', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const ask = () =>
    world.browser().call(sendContinueApplicationEmail, {
      body: { borrowerIdentifier: { borrowerEmail: email, organization: 'FIGURE' } },
    })
  for (let each = 0; each < 10; each += 1) {
    await ask()
    world.clock.pass(10 * MINUTE_MS)
  }
  const refused = await refusal(ask())
  expect(refused.code).toBe('too-many-requests')
  expect(await world.mail(email)).toHaveLength(10)
  world.clock.pass((refused.retryAfterS ?? 0) * 1000)
  expect(await ask()).toEqual({ loginUuid: expect.any(String) })
})

test('8 texts are limited by number: accounts that add it share five a day, and its owner can still log in', async () => {
  await using world = await aWorld()
  const texts = async () => (await world.mail(PEOPLE.phone.phone)).length
  const before = await texts()
  const add = async () => {
    const stranger = world.browser()
    const person = newPerson('stranger')
    await stranger.register(person)
    await stranger.confirmByMail(person.email)
    return stranger.call(beginPhone, { body: { phone: PEOPLE.phone.phone } })
  }
  for (let each = 0; each < 5; each += 1) await add()
  expect((await refusal(add())).code).toBe('too-many-requests')
  expect((await texts()) - before).toBe(5)

  const { twoFactorOptions } = await world.browser().call(login, {
    body: { email: PEOPLE.phone.email, password: PEOPLE.phone.password },
  })
  const { loginUuid = '', aliases = [] } = twoFactorOptions ?? {}
  const alias = aliases.find(({ type }) => type === 'Phone')?.uuid ?? ''
  await world.browser().call(sendSecondFactor, { body: { loginUuid, alias } })
  expect((await texts()) - before).toBe(6)
})

test('8 one network gets 1,200 pages a minute; other networks, calls and files are not affected', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const flood = world.browser({ headers: { 'x-forwarded-for': '203.0.113.1' } })
  const headers = { accept: 'text/html' }
  const statuses: Record<number, number> = {}
  for (let each = 0; each < 120; each += 1) {
    const pages = ['/auth/login', '/dashboard', '/figure-wallet', '/nowhere', '/auth/register']
    const shown = await Promise.all(
      [...pages, ...pages].map((path) => flood.fetch(path, { headers })),
    )
    for (const { status } of shown) statuses[status] = (statuses[status] ?? 0) + 1
  }
  expect(statuses[429]).toBeUndefined()
  const refused = await flood.fetch('/auth/login', { headers })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    429,
    'text/html; charset=utf-8',
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toMatch(/Wait (?:\d+ seconds|a second), then try again/)
  const other = world.browser({ headers: { 'x-forwarded-for': '203.0.113.2' } })
  expect((await other.fetch('/auth/login', { headers })).status).toBe(200)
  expect((await flood.fetch('/healthz')).status).toBe(200)
  await flood.call(register, { body: { email: newPerson('office').email } })
  world.clock.pass(MINUTE_MS)
  expect((await flood.fetch('/auth/login', { headers })).status).toBe(200)
})
