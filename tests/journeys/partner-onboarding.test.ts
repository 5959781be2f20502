import {
  readIdentity,
  readRegistrationVerification,
  redeemToken,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { sendContinueApplicationEmail } from '@portico/contracts/lead-portal'
import { expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { PEOPLE } from '../support/people.ts'
import { outcomes } from '../support/race.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const UNKNOWN_IDENTITY = '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10'

const requestByEmail = (browser: Browser, borrowerEmail: string, organization = 'FIGURE') =>
  browser.call(sendContinueApplicationEmail, {
    body: { borrowerIdentifier: { borrowerEmail, organization } },
  })
const requestByIdentity = (browser: Browser, borrowerIdentityUuid: string) =>
  browser.call(sendContinueApplicationEmail, { body: { borrowerIdentityUuid } })
const redeem = (browser: Browser, loginUuid: string, token: string) =>
  browser.call(redeemToken, { body: { loginUuid, token } })
const verify = (
  browser: Browser,
  borrowerEmail: string,
  more: { organization?: string; loginUuid?: string } = {},
) =>
  browser.call(readRegistrationVerification, {
    query: { borrowerEmail, organization: 'FIGURE', ...more },
  })

/** The link in the newest mail. */
async function linkTo(world: Awaited<ReturnType<typeof aWorld>>, email: string): Promise<URL> {
  const [newest] = await world.mail(email)
  const address = /https?:\/\/\S+\/auth\/credit-karma\/register\S+/.exec(newest?.text ?? '')?.[0]
  return new URL(address ?? '')
}

test('7.3 a borrower continues with the mailed code, chooses a password, and is registered then', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const browser = world.browser()
  expect(await verify(browser, email)).toEqual({
    isIdentityRegistered: false,
    isInquiryWelcomeEmailSent: false,
    isTokenExpired: true,
  })
  const { loginUuid } = await requestByEmail(browser, email)
  expect(await verify(browser, email, { loginUuid })).toEqual({
    isIdentityRegistered: false,
    isInquiryWelcomeEmailSent: true,
    isTokenExpired: false,
  })
  browser.jwt.write((await redeem(browser, loginUuid, await world.passcode(email))).jwt ?? '')
  const { identity, passwordExpired } = await browser.call(readIdentity, {})
  expect([identity.organizationCode, passwordExpired]).toEqual(['FIGURE', true])
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect(await verify(browser, email, { loginUuid })).toEqual({
    isIdentityRegistered: true,
    isInquiryWelcomeEmailSent: true,
    isTokenExpired: true,
  })
  expect(await world.browser().signIn({ email, password: OTHER_PASSWORD })).toHaveProperty('jwt')
})

test('7.3 the mail carries the code and a link with the same code behind its #, in the organization’s name', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const { loginUuid } = await requestByEmail(world.browser(), email, 'HARBORLINE')
  const [mail] = await world.mail(email)
  expect(mail?.subject).toBe('Continue your application with Harborline Mortgage')
  expect(mail?.from).toMatch(/Harborline Mortgage/)
  const link = await linkTo(world, email)
  expect(link.origin).toBe(world.origin)
  expect(Object.fromEntries(link.searchParams)).toEqual({ email, orgCode: 'HARBORLINE', loginUuid })
  expect(link.hash).toBe(`#code=${await world.passcode(email)}`)
})

test('7.3 opening the link does not consume it', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const { loginUuid } = await requestByEmail(world.browser(), email)
  const link = await linkTo(world, email)
  for (const method of ['GET', 'HEAD', 'POST', 'GET']) {
    await world.browser().fetch(`${link.pathname}${link.search}`, { method })
  }
  expect(await redeem(world.browser(), loginUuid, link.hash.slice('#code='.length))).toEqual({
    jwt: expect.any(String),
  })
})

test('7.3 code and link are one passcode: one of 200 simultaneous uses succeeds', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_POSTGRES ? 2 : 1)
  const { email } = newPerson('borrower')
  const { loginUuid } = await requestByEmail(world.browser(), email)
  const token = await world.passcode(email)
  const ends = await outcomes(
    Array.from({ length: 200 }, (_, racer) =>
      redeem(
        world.browser({ node: () => world.nodes[racer % world.nodes.length] }),
        loginUuid,
        token,
      ),
    ),
  )
  const { answered, 'code-used': used = 0, 'too-many-requests': early = 0, ...rest } = ends
  expect([answered, used + early, rest]).toEqual([1, 199, {}])
  expect(await world.query(`select id from identities where email = '${email}'`)).toHaveLength(1)
  world.clock.pass(5 * MINUTE_MS)
  expect((await refusal(redeem(world.browser(), loginUuid, token))).code).toBe('code-used')
})

test('9 code and link are valid for ten minutes; after that token/send reaches the borrower for ninety days', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const browser = world.browser()
  const { loginUuid } = await requestByEmail(browser, email)
  const token = await world.passcode(email)
  world.clock.pass(10 * MINUTE_MS)
  expect(await verify(browser, email, { loginUuid })).toMatchObject({ isTokenExpired: true })
  expect((await refusal(redeem(browser, loginUuid, token))).code).toBe('code-expired')

  world.clock.pass(60 * DAY_MS)
  const { uuid } = await browser.call(sendToken, { body: { email } })
  expect(await verify(browser, email, { loginUuid: uuid })).toMatchObject({
    isInquiryWelcomeEmailSent: true,
    isTokenExpired: false,
  })
  expect(await redeem(browser, uuid, await world.passcode(email))).toHaveProperty('jwt')
  world.clock.pass(31 * DAY_MS)
  expect(await verify(browser, email)).toMatchObject({ isInquiryWelcomeEmailSent: false })
})

test('7.2 isInquiryWelcomeEmailSent is true for the organization that sent it, and for no other', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const browser = world.browser()
  await requestByEmail(browser, email, 'CEDAR_POINT')
  const welcomed = async (organization: string) =>
    (await verify(browser, email, { organization })).isInquiryWelcomeEmailSent
  expect([await welcomed('CEDAR_POINT'), await welcomed('FIGURE')]).toEqual([true, false])
})

test('7.2 a token is valid only for the address it was sent to', async () => {
  await using world = await aWorld()
  const [one, other] = [newPerson('one'), newPerson('other')]
  const browser = world.browser()
  const { loginUuid } = await requestByEmail(browser, one.email)
  expect(await verify(browser, one.email, { loginUuid })).toMatchObject({ isTokenExpired: false })
  expect(await verify(browser, other.email, { loginUuid })).toMatchObject({ isTokenExpired: true })
})

test('7.3 by borrowerIdentityUuid the mail goes to the identity’s address; an unknown uuid gets the same answer', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const { email } = PEOPLE.passwordless
  const identity = await world.server.stores.identities.findByEmail(email)
  const known = await requestByIdentity(browser, identity?.id ?? '')
  expect(await redeem(browser, known.loginUuid, await world.passcode(email))).toHaveProperty('jwt')
  const query = { identityUuid: identity?.id ?? '', loginUuid: known.loginUuid }
  expect(await browser.call(readRegistrationVerification, { query })).toEqual({
    isIdentityRegistered: false,
    isInquiryWelcomeEmailSent: true,
    isTokenExpired: true,
  })

  const sent = await world.query('select id from messages')
  const unknown = await requestByIdentity(browser, UNKNOWN_IDENTITY)
  expect(Object.keys(unknown)).toEqual(Object.keys(known))
  expect(await world.query('select id from messages')).toHaveLength(sent.length)
  expect((await refusal(redeem(browser, unknown.loginUuid, '123456'))).code).toBe('code-wrong')
})

test('7.3 known and unknown addresses get the same answer; the owner of an account is signed in', async () => {
  const owner = newPerson('known')
  await using world = await aWorld().withCustomer(owner)
  const unknown = newPerson('other')
  const answers = await Promise.all(
    [owner, unknown].map(async ({ email }) => {
      const response = await world
        .browser()
        .fetch('/service-lead-portal/api/borrowers/send-continue-app-email-with-otp', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            borrowerIdentifier: { borrowerEmail: email, organization: 'FIGURE' },
          }),
        })
      const headers = [...response.headers.keys()].toSorted()
      return { status: response.status, headers, length: (await response.text()).length }
    }),
  )
  expect(answers[1]).toEqual(answers[0])
  expect(answers[0]?.status).toBe(200)
  const [toOwner] = await world.mail(owner.email)
  expect(toOwner?.subject).toBe((await world.mail(unknown.email))[0]?.subject)

  const browser = world.browser()
  const link = await linkTo(world, owner.email)
  const loginUuid = link.searchParams.get('loginUuid') ?? ''
  browser.jwt.write((await redeem(browser, loginUuid, link.hash.slice(6))).jwt ?? '')
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
})

test('8 one recipient gets five mails in ten minutes, for any kind of code: then 429 with Retry-After', async () => {
  await using world = await aWorld()
  const { email } = newPerson('flooded')
  for (let each = 0; each < 3; each += 1) await requestByEmail(world.browser(), email)
  for (let each = 0; each < 2; each += 1) {
    await world.browser().call(sendToken, { body: { email } })
  }
  for (const organization of ['FIGURE', 'CEDAR_POINT']) {
    const { status, retryAfterS = 0 } = await refusal(
      requestByEmail(world.browser(), email, organization),
    )
    expect(status).toBe(429)
    expect(retryAfterS).toBeGreaterThan(0)
  }
  expect((await world.mail(email)).length).toBe(5)
  world.clock.pass(10 * MINUTE_MS)
  expect(await requestByEmail(world.browser(), email)).toHaveProperty('loginUuid')
})

test('8 one network may send 300 requests in ten minutes', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  for (let each = 0; each < 300; each += 1) await requestByIdentity(browser, UNKNOWN_IDENTITY)
  expect(await refusal(requestByIdentity(browser, UNKNOWN_IDENTITY))).toMatchObject({ status: 429 })
})

test('7.3 an unknown organization, both identifiers, or neither is refused', async () => {
  await using world = await aWorld()
  const { email } = newPerson('borrower')
  const browser = world.browser()
  const identifier = { borrowerEmail: email, organization: 'FIGURE' }
  const refused = await Promise.all(
    [
      requestByEmail(browser, email, 'NOBODYS_BANK'),
      requestByEmail(browser, email, '<script>'),
      browser.call(sendContinueApplicationEmail, { body: {} }),
      browser.call(sendContinueApplicationEmail, {
        body: { borrowerIdentityUuid: UNKNOWN_IDENTITY, borrowerIdentifier: identifier },
      }),
      verify(browser, email, { organization: 'NOBODYS_BANK' }),
    ].map(refusal),
  )
  for (const each of refused) {
    expect(each).toMatchObject({ status: 400, code: 'invalid-request' })
  }
  expect(await world.mail(email)).toEqual([])
})
