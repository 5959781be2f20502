import { readIdentity, redeemToken, register, sendToken } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const send = (browser: Browser, email: string) => browser.call(sendToken, { body: { email } })
const redeem = (browser: Browser, loginUuid: string, token: string) =>
  browser.call(redeemToken, { body: { loginUuid, token } })
/** A code different from this one. */
const otherThan = (code: string) => (code === '123456' ? '654321' : '123456')

test('7.2 known, registering and unknown addresses get the same answer; only the mail differs', async () => {
  const known = newPerson('known')
  await using world = await aWorld().withCustomer(known)
  const registering = newPerson('registering')
  const unknown = newPerson('unknown')
  const browser = world.browser()
  await browser.call(register, { body: { email: registering.email } })
  const mailBefore = (await world.mail(known.email)).length

  const answers = await Promise.all(
    [known, registering, unknown].map(async ({ email }) => {
      const response = await world.browser().fetch('/identity/api/v1/token/send', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
      const headers = Object.fromEntries(
        [...response.headers].filter(([name]) => name !== 'date' && name !== 'content-length'),
      )
      return { status: response.status, headers, length: (await response.text()).length }
    }),
  )
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  expect(answers[0]?.status).toBe(200)

  expect(await world.mail(known.email)).toHaveLength(mailBefore + 1)
  expect((await world.mail(known.email))[0]?.text).toContain('Enter this passcode to log in')
  expect((await world.mail(registering.email))[0]?.text).toContain('verify your email address')
  const [invitation, ...others] = await world.mail(unknown.email)
  expect(others).toEqual([])
  expect(invitation?.text).toContain('which has no account')
  expect(invitation?.text).toContain(
    `${world.origin}/auth/register?email=${encodeURIComponent(unknown.email)}&orgCode=FIGURE`,
  )
  expect(invitation?.text).not.toMatch(/^\d{6}$/m)
})

test('7.2 an unknown address is invited at most once a day, with the same answer each time', async () => {
  await using world = await aWorld()
  const { email } = newPerson('unknown')
  const browser = world.browser()
  await send(browser, email)
  await send(browser, email)
  expect(await world.mail(email)).toHaveLength(1)
  world.clock.pass(23 * 60 * MINUTE_MS)
  await send(browser, email)
  expect(await world.mail(email)).toHaveLength(1)
  world.clock.pass(DAY_MS)
  await send(browser, email)
  expect(await world.mail(email)).toHaveLength(2)
})

test('7.2 no code works for an unregistered address', async () => {
  await using world = await aWorld()
  const { email } = newPerson('unknown')
  const browser = world.browser()
  const { uuid } = await send(browser, email)
  expect((await refusal(redeem(browser, uuid, '123456'))).code).toBe('code-wrong')
  expect(await world.server.stores.identities.findByEmail(email)).toBeUndefined()
})

test('9 a code works once; a replay says so', async () => {
  const owner = newPerson('replay')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const { uuid } = await send(browser, owner.email)
  const code = await world.passcode(owner.email)
  await redeem(browser, uuid, code)
  expect(await refusal(redeem(world.browser(), uuid, code))).toMatchObject({
    status: 400,
    code: 'code-used',
  })
})

test('9 a code is valid for ten minutes', async () => {
  const owner = newPerson('slow')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const early = await send(browser, owner.email)
  const earlyCode = await world.passcode(owner.email)
  world.clock.pass(10 * MINUTE_MS - 1000)
  expect(await redeem(browser, early.uuid, earlyCode)).toEqual({ jwt: expect.any(String) })

  const late = await send(browser, owner.email)
  const lateCode = await world.passcode(owner.email)
  world.clock.pass(10 * MINUTE_MS)
  expect(await refusal(redeem(browser, late.uuid, lateCode))).toMatchObject({
    status: 400,
    code: 'code-expired',
  })
})

test('9 a wrong code is refused, and the right one still works afterwards', async () => {
  const owner = newPerson('typing')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const { uuid } = await send(browser, owner.email)
  const code = await world.passcode(owner.email)
  expect((await refusal(redeem(browser, uuid, otherThan(code)))).code).toBe('code-wrong')
  expect(await redeem(browser, uuid, code)).toEqual({ jwt: expect.any(String) })
})

test('9 a code belongs to its login: not to another one, nor to one that does not exist', async () => {
  const [owner, stranger] = [newPerson('owner'), newPerson('stranger')]
  await using world = await aWorld().withCustomer(owner).withCustomer(stranger)
  const browser = world.browser()
  await send(browser, owner.email)
  const code = await world.passcode(owner.email)
  const { uuid } = await send(browser, stranger.email)
  if ((await world.passcode(stranger.email)) !== code) {
    expect((await refusal(redeem(browser, uuid, code))).code).toBe('code-wrong')
  }
  expect((await refusal(redeem(browser, '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10', code))).code).toBe(
    'code-wrong',
  )
})

test('9 two requested codes both work, so a second tab does not invalidate the first', async () => {
  const owner = newPerson('tabs')
  await using world = await aWorld().withCustomer(owner)
  const [one, other] = [world.browser(), world.browser()]
  const first = await send(one, owner.email)
  const firstCode = await world.passcode(owner.email)
  const second = await send(other, owner.email)
  const secondCode = await world.passcode(owner.email)
  expect(await redeem(one, first.uuid, firstCode)).toEqual({ jwt: expect.any(String) })
  expect(await redeem(other, second.uuid, secondCode)).toEqual({ jwt: expect.any(String) })
})

test('4.6 a registration can be finished for an hour; after that the address is unknown again', async () => {
  await using world = await aWorld()
  const { email } = newPerson('pausing')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  world.clock.pass(61 * MINUTE_MS)
  await send(browser, email)
  expect((await world.mail(email))[0]?.text).toContain('which has no account')
})

test('2.4 the token of a registration opens no call that needs a session', async () => {
  await using world = await aWorld()
  const { email } = newPerson('registering')
  const browser = world.browser()
  const { jwt } = await browser.call(register, { body: { email } })
  browser.jwt.write(jwt)
  expect(await refusal(browser.call(readIdentity, {}))).toMatchObject({
    status: 401,
    code: 'session-ended',
  })
})

test('8 a code of another lender’s tab is not called wrong, and each tab can request its own again', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { email } = newPerson('comparing')
  const tab = (organization: string) =>
    world.browser({ headers: { 'x-organization': organization } })
  const begin = async (browser: Browser) => {
    await browser.call(register, { body: { email } })
    const { uuid } = await send(browser, email)
    return { uuid, token: await world.passcode(email) }
  }
  const [first, second] = [tab('NORTHGALE'), tab('HARBORLINE')]
  const one = await begin(first)
  const two = await begin(second)
  expect(await refusal(redeem(first, one.uuid, two.token))).toMatchObject({
    status: 400,
    code: 'code-of-other-page',
  })
  // A recognized code is consumed, so guessing at all codes at once gains nothing.
  expect((await refusal(redeem(second, two.uuid, two.token))).code).toBe('code-used')
  expect((await refusal(redeem(first, one.uuid, two.token))).code).toBe('code-wrong')
  // What "Resend code" does.
  const again = await begin(second)
  expect((await refusal(redeem(second, again.uuid, one.token))).code).toBe('code-superseded')
  expect(await redeem(second, again.uuid, again.token)).toEqual({ jwt: expect.any(String) })
})

test('8 an older code after a resend is answered with: a newer one was sent', async () => {
  const owner = newPerson('impatient')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.call(sendToken, { body: { email: owner.email } })
  const older = await world.passcode(owner.email)
  const { uuid: loginUuid } = await browser.call(sendToken, { body: { email: owner.email } })
  const redeem = (token: string) => browser.call(redeemToken, { body: { loginUuid, token } })
  const newer = await world.passcode(owner.email)
  const wrong = ['000000', '111111', '222222'].find((code) => code !== older && code !== newer)
  expect((await refusal(redeem(older))).code).toBe('code-superseded')
  // A recognized code is consumed, so guessing at all codes at once gains nothing.
  expect((await refusal(redeem(older))).code).toBe('code-wrong')
  expect((await refusal(redeem(wrong ?? ''))).code).toBe('code-wrong')
  expect((await redeem(newer)).jwt).toBeDefined()
  // A used code, or another person's, is an ordinary wrong code.
  const { uuid: last } = await browser.call(sendToken, { body: { email: owner.email } })
  const used = browser.call(redeemToken, { body: { loginUuid: last, token: newer } })
  expect((await refusal(used)).code).toBe('code-wrong')
})
