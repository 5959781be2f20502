import {
  readRegistrationVerification,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { aWorld, OTHER_PASSWORD, refusal, somebody } from '../support/world.ts'

test('9 a login in a browser not seen before is told to the owner; the first ever and a known one are not', async () => {
  const owner = somebody('owner')
  await using world = await aWorld().withCustomer(owner)
  const told = async () =>
    (await world.mail(owner.email)).filter(({ subject }) => subject.startsWith('New login')).length
  expect(await told()).toBe(0)
  const browser = world.browser()
  await browser.signIn(owner)
  expect(await told()).toBe(1)
  await browser.logOut()
  await browser.signIn(owner)
  expect(await told()).toBe(1)
  await world.browser().signInByPasscode(owner.email)
  expect(await told()).toBe(2)
  const [mail] = (await world.mail(owner.email)).filter(({ subject }) => subject.startsWith('New'))
  expect(mail?.text).toContain('in a browser we have not seen before')
  expect(mail?.text).toContain('(800) 555-0142 or help@figure.example')
})

test('9 a device cookie that we did not give is no known browser', async () => {
  const owner = somebody('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  browser.cookies.set('portico-device', 'chosen-by-somebody-else')
  await browser.signIn(owner)
  expect(browser.cookies.get('portico-device')).toMatch(/^[\w-]{43}$/)
})

test('9 a new password is told to the owner', async () => {
  const owner = somebody('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  const [mail] = await world.mail(owner.email)
  expect(mail?.subject).toBe('Your Figure password was changed')
  expect(mail?.text).toContain('You were logged out everywhere else.')
  expect(mail?.text).not.toContain(OTHER_PASSWORD)
})

test('7 mail carries the brand of the organisation the visitor came to', async () => {
  await using world = await aWorld()
  const { email } = somebody('branded')
  const browser = world.browser()
  await browser.fetch('/auth/login?orgCode=cedar_point')
  await browser.call(register, { body: { email } })
  await browser.call(sendToken, { body: { email } })
  const [mail] = await world.mail(email)
  expect(mail).toMatchObject({
    channel: 'email',
    to: email,
    from: 'Cedar Point Lending <no-reply@portico.example>',
    subject: 'Your Cedar Point Lending passcode',
  })
  expect(mail?.text).toContain('Cedar Point Lending Cooperative · NMLS #2200310')
  expect(mail?.html).toContain('#1f6b45')
  expect(mail?.html).toContain('Equal Housing Lender')
  expect(Date.parse(mail?.sentAt ?? '')).toBeGreaterThan(0)

  const code = await world.passcode(email)
  expect(mail?.html).toContain(code)
  await browser.signInByPasscode(email)
  const identity = await world.server.stores.identities.byEmail(email)
  expect(identity?.organization_code).toBe('CEDAR_POINT')
})

test('7.2 registration is verified by identityUuid, or by e-mail address with the organisation', async () => {
  const owner = somebody('borrower')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const identity = await world.server.stores.identities.byEmail(owner.email)
  const verify = (query: {
    identityUuid?: string
    borrowerEmail?: string
    organization?: string
    loginUuid?: string
  }) => browser.call(readRegistrationVerification, { query })
  const registered = { isIdentityRegistered: true }
  const unknown = { isIdentityRegistered: false }

  expect(await verify({ identityUuid: identity?.id ?? '' })).toEqual({
    ...registered,
    isInquiryWelcomeEmailSent: false,
    isTokenExpired: true,
  })
  const here = { borrowerEmail: owner.email, organization: 'FIGURE' }
  expect(await verify(here)).toMatchObject(registered)
  expect(await verify({ ...here, organization: 'CEDAR_POINT' })).toMatchObject(unknown)
  expect(await verify({ ...here, borrowerEmail: 'nobody@people.example' })).toMatchObject(unknown)
  expect((await refusal(verify({ borrowerEmail: owner.email }))).status).toBe(400)
  expect((await refusal(verify({}))).status).toBe(400)

  const { uuid } = await browser.call(sendToken, { body: { email: owner.email } })
  expect(await verify({ ...here, loginUuid: uuid })).toMatchObject({ isTokenExpired: false })
  world.clock.pass(10 * 60 * 1000)
  expect(await verify({ ...here, loginUuid: uuid })).toMatchObject({ isTokenExpired: true })
})

test('7.2 an identity that never chose a password is not registered yet', async () => {
  await using world = await aWorld()
  const { email } = somebody('half-way')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  await browser.signInByPasscode(email)
  const query = { borrowerEmail: email, organization: 'FIGURE' }
  const verify = () => browser.call(readRegistrationVerification, { query })
  expect((await verify()).isIdentityRegistered).toBe(false)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect((await verify()).isIdentityRegistered).toBe(true)
})

test('8 who has an account is told sixty times in ten minutes to one network', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const query = { borrowerEmail: 'nobody@people.example', organization: 'FIGURE' }
  for (let each = 0; each < 60; each += 1) {
    await browser.call(readRegistrationVerification, { query })
  }
  expect(await refusal(browser.call(readRegistrationVerification, { query }))).toMatchObject({
    status: 429,
  })
})
