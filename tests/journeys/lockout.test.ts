import { findPeople, readPerson, unlockPerson } from '@portico/contracts/admin/people'
import { login, sendToken } from '@portico/contracts/identity'
import { redeemRecoveryCode, redeemTotp } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { authenticatorCode } from '../support/authenticator.ts'
import type { Browser } from '../support/browser.ts'
import { anOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

type World = Awaited<ReturnType<typeof aWorld>>

/** Networks are simulated with a trusted proxy's header. */
const behindProxy = () => aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
const from = (world: World, address: string) =>
  world.browser({ headers: { 'x-forwarded-for': address } })
const guess = (browser: Browser, email: string) =>
  refusal(browser.call(login, { body: { email, password: 'not the password' } }))

/** Strangers on four networks use up the attempts of the address. */
async function lockOut(world: World, email: string): Promise<void> {
  for (let network = 1; network <= 4; network += 1) {
    const stranger = from(world, `203.0.113.${network}`)
    for (let each = 0; each < 10; each += 1) await guess(stranger, email)
  }
}

async function linkOf(world: World, email: string): Promise<string | undefined> {
  const mails = (await world.mail(email)).filter(({ subject }) =>
    /from a new browser/.test(subject),
  )
  const [, path] = /(\/auth\/lockout\?\S+)/.exec(mails[0]?.text ?? '') ?? []
  return path
}

test('8 one network that guesses for hours does not lock the owner out of new browsers elsewhere', async () => {
  const owner = newPerson('guessed')
  await using world = await behindProxy().withCustomer(owner)
  const attacker = from(world, '203.0.113.7')
  const end = world.clock.now() + 2 * HOUR_MS
  let verified = 0
  while (world.clock.now() < end) {
    const { status, retryAfterS = 0 } = await guess(attacker, owner.email)
    if (status === 400) {
      verified += 1
      continue
    }
    expect(await from(world, '198.51.100.1').signIn(owner)).toEqual({ jwt: expect.any(String) })
    world.clock.pass(retryAfterS * 1000)
  }
  // It used every allowed attempt: ten in an hour, and one whenever the lockout ended.
  expect(verified).toBeGreaterThan(20)
  expect(verified).toBeLessThanOrEqual(2 * 26)
})

test('8 an owner locked out from many networks is mailed a link, which gives one browser its own attempts', async () => {
  const owner = newPerson('locked-out')
  await using world = await behindProxy().withCustomer(owner)
  await lockOut(world, owner.email)
  const own = from(world, '198.51.100.1')
  expect((await refusal(own.signIn(owner))).code).toBe('too-many-requests')
  const path = (await linkOf(world, owner.email)) ?? ''
  expect(path).toMatch(/^\/auth\/lockout\?token=[\w-]{43}&orgCode=FIGURE/)
  const subjects = (await world.mail(owner.email)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject.includes('from a new browser'))).toHaveLength(1)

  // Opening the link alone does not consume it.
  const page = await own.fetch(path)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(await page.text()).toContain('<button>Continue to log in</button>')
  expect((await refusal(own.signIn(owner))).code).toBe('too-many-requests')

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const foreign = { ...form, origin: 'https://evil.example' }
  expect((await own.fetch(path, { method: 'POST', headers: foreign })).status).toBe(403)
  const opened = await own.fetch(path, { method: 'POST', headers: form })
  expect([opened.status, opened.headers.get('location')]).toEqual([
    303,
    `/auth/login?orgCode=FIGURE&email=${encodeURIComponent(owner.email)}`,
  ])
  expect(await own.signIn(owner)).toEqual({ jwt: expect.any(String) })

  // Once, and for that browser only; its attempts have the usual limit.
  const other = from(world, '198.51.100.2')
  expect((await other.fetch(path, { method: 'POST', headers: form })).status).toBe(410)
  expect((await refusal(other.signIn(owner))).code).toBe('too-many-requests')
})

test('8 a browser that opened the link still counts as new, with ten attempts, for this address only', async () => {
  const [owner, another] = [newPerson('owner'), newPerson('another')]
  await using world = await behindProxy().withCustomer(owner).withCustomer(another)
  await lockOut(world, owner.email)
  await lockOut(world, another.email)
  const own = from(world, '198.51.100.1')
  await refusal(own.signIn(owner))
  const path = (await linkOf(world, owner.email)) ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await own.fetch(path, { method: 'POST', headers: form })
  expect((await refusal(own.signIn(another))).code).toBe('too-many-requests')
  for (let each = 0; each < 10; each += 1) {
    expect((await guess(own, owner.email)).code).toBe('wrong-credentials')
  }
  expect((await guess(own, owner.email)).code).toBe('too-many-requests')
  world.clock.pass(61_000)
  expect(await own.signIn(owner)).toEqual({ jwt: expect.any(String) })
  const subjects = (await world.mail(owner.email)).map(({ subject }) => subject)
  expect(subjects.some((subject) => subject.startsWith('New login'))).toBe(true)
})

test('8 the link expires after a day and is mailed once in twelve hours, or again after its use', async () => {
  const owner = newPerson('patient')
  await using world = await behindProxy().withCustomer(owner)
  await lockOut(world, owner.email)
  const links = async () =>
    (await world.mail(owner.email)).filter(({ subject }) => /from a new browser/.test(subject))
      .length
  expect(await links()).toBe(1)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const first = (await linkOf(world, owner.email)) ?? ''
  expect((await world.browser().fetch(first, { method: 'POST', headers: form })).status).toBe(303)
  await lockOut(world, owner.email)
  expect(await links()).toBe(2)
  const second = (await linkOf(world, owner.email)) ?? ''
  world.clock.pass(12 * HOUR_MS)
  await lockOut(world, owner.email)
  expect(await links()).toBe(3)
  world.clock.pass(12 * HOUR_MS)
  expect((await world.browser().fetch(second, { method: 'POST', headers: form })).status).toBe(410)
})

test('8 codes that strangers request trigger the link too, and an address without an account gets no mail', async () => {
  const [owner, unknown] = [newPerson('sent'), newPerson('unknown')]
  await using world = await behindProxy().withCustomer(owner)
  for (const { email } of [owner, unknown]) {
    for (let each = 0; each < 5; each += 1) {
      await world.browser().call(sendToken, { body: { email } })
    }
    const sixth = world.browser().call(sendToken, { body: { email } })
    expect((await refusal(sixth)).code).toBe('too-many-requests')
  }
  expect(await linkOf(world, owner.email)).toMatch(/^\/auth\/lockout/)
  expect(await linkOf(world, unknown.email)).toBeUndefined()
  // Both take the same steps, so timing reveals nothing.
  const links = await world.query('select email from lockout_links')
  expect(links.map(({ email }) => String(email)).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [owner.email, unknown.email].toSorted((a, b) => a.localeCompare(b)),
  )
})

/** Logs in a person with an authenticator, up to the second step. */
async function secondStep(
  browser: Browser,
  { email, password }: { email: string; password: string },
) {
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  return twoFactorOptions?.loginUuid ?? ''
}

const codeAt = (world: World) => authenticatorCode(PEOPLE.recovery.secret, world.clock.now())
const wrongAt = (world: World) => (codeAt(world) === '111111' ? '222222' : '111111')

/** Submits wrong codes, one per day. */
async function wrongCodes(world: World, browser: Browser, times: number): Promise<string[]> {
  const codes: string[] = []
  for (let each = 0; each < times; each += 1) {
    const loginUuid = await secondStep(browser, PEOPLE.recovery)
    const call = browser.call(redeemTotp, { body: { loginUuid, code: wrongAt(world) } })
    codes.push((await refusal(call)).code ?? '')
    world.clock.pass(DAY_MS)
  }
  return codes
}

test('8 twenty wrong authenticator codes close the method, over any number of days, and another factor reopens it', async () => {
  await using world = await aWorld()
  const stranger = world.browser()
  const mailCount = async () =>
    (await world.mail(PEOPLE.recovery.email)).filter(({ subject }) =>
      subject.startsWith('Wrong codes'),
    ).length
  expect(await wrongCodes(world, stranger, 4)).toEqual(Array(4).fill('code-wrong'))
  expect(await mailCount()).toBe(0)
  expect(await wrongCodes(world, stranger, 16)).toEqual(Array(16).fill('code-wrong'))
  // The owner is mailed about the fifth, then once a day.
  expect(await mailCount()).toBe(16)
  const right = async () => {
    const loginUuid = await secondStep(stranger, PEOPLE.recovery)
    return stranger.call(redeemTotp, { body: { loginUuid, code: codeAt(world) } })
  }
  expect((await refusal(right())).code).toBe('too-many-wrong-codes')

  const owner = world.browser()
  const loginUuid = await secondStep(owner, PEOPLE.recovery)
  const code = 'demo-0000-0000-0001'
  await owner.call(redeemRecoveryCode, { body: { loginUuid, code } })
  world.clock.pass(60_000)
  expect(await right()).toEqual({ jwt: expect.any(String) })
})

test('15 support reopens an authenticator that wrong codes have closed, which is shown, mailed and audited', async () => {
  await using world = await aWorld()
  const stranger = world.browser()
  const { email } = PEOPLE.recovery
  await wrongCodes(world, stranger, 20)
  const support = await anOperator(world, 'support')
  const { items } = await support.browser.call(findPeople, { query: { search: email } })
  const identityUuid = items[0]?.identityUuid ?? ''
  const read = () => support.browser.call(readPerson, { query: { identityUuid } })
  expect((await read()).attempts).toEqual({ wrong: 0, lockedUntil: null, isSecondStepClosed: true })
  const body = { identityUuid, reason: 'Called from the known number.' }
  expect(await support.browser.call(unlockPerson, { body })).toEqual({ changed: true })
  const { attempts, events } = await read()
  expect(attempts.isSecondStepClosed).toBe(false)
  expect(events.map(({ kind }) => kind)).toContain('person-unlocked')
  const mails = await world.mail(email)
  expect(mails.some(({ text }) => text.includes('unlocked your account.'))).toBe(true)
  world.clock.pass(60_000)
  const loginUuid = await secondStep(stranger, PEOPLE.recovery)
  const code = codeAt(world)
  expect(await stranger.call(redeemTotp, { body: { loginUuid, code } })).toEqual({
    jwt: expect.any(String),
  })
})

test('8 an attacker with the password and the mailbox gets twenty codes by all links together, not by each', async () => {
  await using world = await aWorld()
  const thief = world.browser()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  await wrongCodes(world, thief, 20)
  let verified = 0
  const guessCode = async () => {
    const loginUuid = await secondStep(thief, PEOPLE.recovery)
    await thief.call(redeemTotp, { body: { loginUuid, code: wrongAt(world) } })
  }
  for (let link = 0; link < 4; link += 1) {
    await refusal(guessCode())
    const path = (await linkOf(world, PEOPLE.recovery.email)) ?? ''
    await thief.fetch(path, { method: 'POST', headers: form })
    for (let each = 0; each < 11; each += 1) {
      if ((await refusal(guessCode())).code === 'code-wrong') verified += 1
    }
  }
  expect(verified).toBe(20)
})

test('8 the mailed link reopens a closed authenticator for one browser', async () => {
  await using world = await aWorld()
  const stranger = world.browser()
  await wrongCodes(world, stranger, 20)
  const owner = world.browser()
  const right = async (browser: Browser) => {
    const loginUuid = await secondStep(browser, PEOPLE.recovery)
    return browser.call(redeemTotp, { body: { loginUuid, code: codeAt(world) } })
  }
  expect((await refusal(right(owner))).code).toBe('too-many-wrong-codes')
  const path = (await linkOf(world, PEOPLE.recovery.email)) ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await owner.fetch(path, { method: 'POST', headers: form })).status).toBe(303)
  expect(await right(owner)).toEqual({ jwt: expect.any(String) })
})
