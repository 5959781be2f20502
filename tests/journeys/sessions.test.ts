import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { logout, readIdentity, register, setPassword } from '@portico/contracts/identity'
import { storeBorrowerQueryParams } from '@portico/contracts/lead-portal'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

const SECOND_MS = 1000
const HALF_MS = 720 * SECOND_MS
const COOKIE = 'portico-session'

const read = (browser: Browser) => browser.call(readIdentity, {})

test('7.1 a token in its second half is renewed in the authorization header, in its first it is not', async () => {
  const owner = newPerson('renewed')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const first = browser.jwt.read()
  world.clock.pass(HALF_MS - 5 * SECOND_MS)
  await read(browser)
  expect(browser.jwt.read()).toBe(first)
  world.clock.pass(10 * SECOND_MS)
  await read(browser)
  const second = browser.jwt.read()
  expect(second).not.toBe(first)
  expect(second).toMatch(/^Bearer ey/)

  // The session lasts as long as the renewed token; the old token until its own expiry.
  world.clock.pass(HALF_MS - 10 * SECOND_MS)
  const old = world.browser({ headers: { authorization: first ?? '' } })
  old.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
  expect((await read(old)).passwordExpired).toBe(false)
  world.clock.pass(20 * SECOND_MS)
  expect((await refusal(read(old))).status).toBe(401)
  expect((await read(browser)).passwordExpired).toBe(false)
})

test.each([
  [{ PUBLIC_URL: 'http://login.lender.example:8443' }, 'login.lender.example'],
  [{}, 'localhost'],
])("3 with %j the issuer of its token is the provider's own domain", async (settings, issuer) => {
  const owner = newPerson('issued')
  await using world = await aWorld().withSettings(settings).withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const [, claims = ''] = browser.jwt.read()?.split('.') ?? []
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ iss: issuer })
})

test('3 an unused session ends after 1440 seconds, and the stored token is removed', async () => {
  const owner = newPerson('idle')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  world.clock.pass(1440 * SECOND_MS)
  expect(await refusal(read(browser))).toMatchObject({ status: 401, code: 'session-ended' })
  expect(browser.jwt.read()).toBeUndefined()
})

test('3 a session in constant use ends twelve hours after it began', async () => {
  const owner = newPerson('tireless')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const began = world.clock.now()
  while (world.clock.now() - began < 12 * 3600 * SECOND_MS - 1300 * SECOND_MS) {
    world.clock.pass(1200 * SECOND_MS)
    await read(browser)
  }
  world.clock.pass(began + 12 * 3600 * SECOND_MS - world.clock.now())
  expect((await refusal(read(browser))).status).toBe(401)
})

test('4.4 logging out ends the session at once, even with a copy of its token and cookie', async () => {
  const owner = newPerson('leaving')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const thief = world.browser()
  thief.jwt.write(browser.jwt.read() ?? '')
  thief.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
  expect((await read(thief)).passwordExpired).toBe(false)
  await browser.logOut()
  expect(browser.cookies.has(COOKIE)).toBe(false)
  expect((await refusal(read(thief))).status).toBe(401)
  expect((await thief.fetch('/dashboard')).status).toBe(302)
})

test('4.4 logging out without a session gets the same answer', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  expect(await browser.call(logout, {})).toBeUndefined()
  const forged = world.browser()
  forged.cookies.set(COOKIE, 'not.a-session')
  expect(await forged.call(logout, {})).toBeUndefined()
})

test('7.2 a new password ends every other session at once and keeps its own', async () => {
  const owner = newPerson('changing')
  await using world = await aWorld().withCustomer(owner)
  const [own, other] = [world.browser(), world.browser()]
  await other.signIn(owner)
  await own.signIn(owner)
  await own.confirm(owner)
  await own.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect((await refusal(read(other))).status).toBe(401)
  expect((await read(own)).passwordExpired).toBe(false)
})

test('6 locking an account ends its sessions at once', async () => {
  const owner = newPerson('locked')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await world.lock(owner.email)
  expect((await refusal(read(browser))).status).toBe(401)
  expect((await browser.fetch('/dashboard')).status).toBe(302)
  expect(await browser.signIn(owner)).toEqual({ isAccountManuallyLocked: true })
})

test('8 a token without its cookie gets 403 Unauthenticated and is removed', async () => {
  const owner = newPerson('stolen')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const thief = world.browser()
  thief.jwt.write(browser.jwt.read() ?? '')
  const response = await thief.fetch('/identity/secure/api/v1/identity', {
    headers: { authorization: thief.jwt.read() ?? '' },
  })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ message: 'Unauthenticated' })
  expect(await refusal(read(thief))).toMatchObject({ status: 403, code: 'unauthenticated' })
  expect(thief.jwt.read()).toBeUndefined()
})

test('7.1 a token with another session’s cookie or a wrong secret is refused', async () => {
  const [owner, other] = [newPerson('owner'), newPerson('other')]
  await using world = await aWorld().withCustomer(owner).withCustomer(other)
  const [browser, stranger] = [world.browser(), world.browser()]
  await browser.signIn(owner)
  await stranger.signIn(other)
  const own = browser.cookies.get(COOKIE) ?? ''
  const mixed = world.browser()
  const attempt = async (cookie: string) => {
    mixed.jwt.write(browser.jwt.read() ?? '')
    mixed.cookies.set(COOKIE, cookie)
    return (await refusal(read(mixed))).status
  }
  expect(await attempt(stranger.cookies.get(COOKIE) ?? '')).toBe(403)
  expect(await attempt(`${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`)).toBe(401)
  expect(await attempt(own.split('.')[0] ?? '')).toBe(403)
  expect(await attempt(`${own.split('.')[0]}.`)).toBe(401)
})

test('7.1 a cookie without a token is refused', async () => {
  const owner = newPerson('cookie-only')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  browser.jwt.remove()
  expect((await refusal(read(browser))).status).toBe(401)
  expect((await browser.fetch('/dashboard')).status).toBe(200)
})

test('3 a token with another key, algorithm or payload, or without a signature, is refused', async () => {
  const owner = newPerson('forged')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const genuine = (browser.jwt.read() ?? '').replace('Bearer ', '')
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const { keys } = (await (await fetch(`${world.url}/.well-known/jwks.json`)).json()) as {
    keys: object[]
  }
  const other = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey
  const claims = { ...decoded(payload), exp: 9_999_999_999 }
  const forgeries = {
    'another key': signed(header, payload, other),
    'a longer life': `${header}.${encoded(claims)}.${signature}`,
    'alg none': `${encoded({ ...decoded(header), alg: 'none' })}.${payload}.`,
    'no signature': `${header}.${payload}.`,
    'the public key as a shared secret': hmacSigned(
      encoded({ ...decoded(header), alg: 'HS256' }),
      payload,
      JSON.stringify(keys[0]),
    ),
    'another kind': signed(
      encoded({ ...decoded(header), typ: 'registration+jwt' }),
      payload,
      other,
    ),
    'a fourth part': `${genuine}.x`,
    padding: `${genuine}=`,
    nothing: '',
    noise: 'not a token',
    'five kilobytes': 'a.'.repeat(2500),
  }
  for (const [name, forgery] of Object.entries(forgeries)) {
    const forger = world.browser({ headers: { authorization: `Bearer ${forgery}` } })
    forger.cookies.set(COOKIE, browser.cookies.get(COOKIE) ?? '')
    expect((await refusal(read(forger))).status, name).toBe(401)
  }
  expect((await read(browser)).passwordExpired).toBe(false)
})

test('2.4 the token of a registration is refused with 401, even with a session cookie', async () => {
  const owner = newPerson('both')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const { jwt } = await browser.call(register, { body: { email: owner.email } })
  browser.jwt.write(jwt)
  expect((await refusal(read(browser))).status).toBe(401)
})

test('4.4 only the latest query parameters of a person are kept', async () => {
  const owner = newPerson('referred')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const storeQuery = (queryParams: Record<string, string>) =>
    browser.call(storeBorrowerQueryParams, { body: { queryParams } })
  expect(await storeQuery({ utm_source: 'partner', empty: '' })).toBeUndefined()
  expect(await storeQuery({ label: 'apollo' })).toBeUndefined()
  const stored = await world.query('select query_params from borrower_query_params')
  expect(stored.map(({ query_params }) => query_params)).toEqual(['{"label":"apollo"}'])
  expect(await storeQuery({})).toBeUndefined()
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`name${index}`, 'x']))
  expect((await refusal(storeQuery(many))).status).toBe(400)
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

function signed(header: string, payload: string, key: KeyObject): string {
  const signature = sign('sha256', Buffer.from(`${header}.${payload}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  })
  return `${header}.${payload}.${signature.toString('base64url')}`
}

function hmacSigned(header: string, payload: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}.${payload}.${mac}`
}
