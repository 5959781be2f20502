import {
  beginEmailChange,
  confirmEmailChange,
  deleteOwnAccount,
  exportAccountData,
} from '@portico/contracts/account-security'
import {
  login,
  readRegistrationVerification,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { redeemSecondFactor, sendSecondFactor } from '@portico/contracts/two-factor'
import { expect, test } from 'vitest'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

test('9 a login in a new browser is mailed to the owner; the first ever and a known browser are not', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const mailTexts = async () =>
    (await world.mail(owner.email)).filter(({ subject }) => subject.startsWith('New login')).length
  expect(await mailTexts()).toBe(0)
  const browser = world.browser()
  await browser.signIn(owner)
  expect(await mailTexts()).toBe(1)
  await browser.logOut()
  await browser.signIn(owner)
  expect(await mailTexts()).toBe(1)
  await world.browser().signInByPasscode(owner.email)
  expect(await mailTexts()).toBe(2)
  const [mail] = (await world.mail(owner.email)).filter(({ subject }) => subject.startsWith('New'))
  expect(mail?.text).toContain('in a browser we have not seen before')
  expect(mail?.text).toContain('(800) 555-0142 or help@figure.example')
})

test('9 a device cookie that we did not issue is not a known browser', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  browser.cookies.set('portico-device', 'chosen-by-somebody-else')
  await browser.signIn(owner)
  expect(browser.cookies.get('portico-device')).toMatch(/^[\w-]{43}$/)
})

test('9 the owner is mailed about a new password', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  const [mail] = await world.mail(owner.email)
  expect(mail?.subject).toBe('Your Figure password was changed')
  expect(mail?.text).toContain('You were logged out everywhere else.')
  expect(mail?.text).not.toContain(OTHER_PASSWORD)
})

test('7 mail carries the brand of the organization the visitor came to', async () => {
  await using world = await aWorld()
  const { email } = newPerson('branded')
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
  expect(mail?.html).toContain('Equal Housing Opportunity')
  expect(Date.parse(mail?.sentAt ?? '')).toBeGreaterThan(0)

  const code = await world.passcode(email)
  expect(mail?.html).toContain(code)
  await browser.signInByPasscode(email)
  const identity = await world.server.stores.identities.findByEmail(email)
  expect(identity?.organizationCode).toBe('CEDAR_POINT')
})

test('7.2 registration is verified by identityUuid, or by email address and organization', async () => {
  const owner = newPerson('borrower')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const identity = await world.server.stores.identities.findByEmail(owner.email)
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

test('7.2 an identity without a password is not registered yet', async () => {
  await using world = await aWorld()
  const { email } = newPerson('half-way')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  await browser.signInByPasscode(email)
  const query = { borrowerEmail: email, organization: 'FIGURE' }
  const verify = () => browser.call(readRegistrationVerification, { query })
  expect((await verify()).isIdentityRegistered).toBe(false)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect((await verify()).isIdentityRegistered).toBe(true)
})

test('8 one network may check sixty accounts in ten minutes', async () => {
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

test("7.1 a call belongs to its page's organization, whatever other tabs open", async () => {
  await using world = await aWorld()
  const { email } = newPerson('two-tabs')
  const browser = world.browser()
  const headers = { 'x-organization': 'HARBORLINE' }
  await browser.fetch('/auth/register?orgCode=HARBORLINE')
  await browser.fetch('/auth/login?orgCode=CEDAR_POINT')
  await browser.call(register, { body: { email }, headers })
  const { uuid } = await browser.call(sendToken, { body: { email }, headers })
  expect((await world.mail(email))[0]?.subject).toBe('Your Harborline Mortgage passcode')
  const token = await world.passcode(email)
  await browser.call(redeemToken, { body: { loginUuid: uuid, token }, headers })
  const identity = await world.server.stores.identities.findByEmail(email)
  expect(identity?.organizationCode).toBe('HARBORLINE')
})

test('7.1 a call that names an unknown organization is refused', async () => {
  await using world = await aWorld()
  for (const code of ['NOBODY', 'harborline', '__proto__', 'HARBORLINE, CEDAR_POINT', '']) {
    const attempt = world.browser().call(sendToken, {
      body: { email: newPerson().email },
      headers: { 'x-organization': code },
    })
    expect((await refusal(attempt)).status, code).toBe(400)
  }
})

test('7 mail about account changes is from the account’s organization, whichever page caused it', async () => {
  const owner = newPerson('told')
  const { email } = owner
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.fetch('/auth/login?orgCode=CEDAR_POINT')
  await browser.signIn(owner)
  await browser.confirm(owner)
  await browser.call(exportAccountData, {})
  const recipient = newPerson('branded').email
  const { changeUuid } = await browser.call(beginEmailChange, { body: { email: recipient } })
  const [currentToken, newToken] = [await world.passcode(email), await world.passcode(recipient)]
  await browser.call(confirmEmailChange, { body: { changeUuid, currentToken, newToken } })
  const taken = PEOPLE.totp.email
  await browser.call(beginEmailChange, { body: { email: taken } })
  const stranger = world.browser()
  await stranger.fetch('/auth/login?orgCode=CEDAR_POINT')
  for (let each = 0; each < 5; each += 1) {
    await stranger.call(sendToken, { body: { email: recipient } }).catch(() => undefined)
  }
  await browser.call(deleteOwnAccount, { body: { email: recipient } })
  const mails = [email, recipient, taken].map((to) => world.mail(to))
  const all = (await Promise.all(mails)).flat()
  expect(all.map(({ subject }) => subject).join()).toContain('from a new browser')
  for (const { subject, from, text, html } of all) {
    expect(from, subject).toBe('Figure <no-reply@portico.example>')
    expect(`${text}${html}`, subject).not.toMatch(/Cedar|CEDAR/)
  }
})

test('7 mail to a customer is from their own organization, whichever page caused it', async () => {
  const { email, password } = PEOPLE.email
  await using world = await aWorld()
  const browser = world.browser()
  await browser.fetch('/auth/login?orgCode=CEDAR_POINT')
  const signedIn = await browser.call(login, { body: { email, password } })
  const { loginUuid = '', aliases = [] } = signedIn.twoFactorOptions ?? {}
  await browser.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } })
  await browser.call(redeemSecondFactor, {
    body: { loginUuid, token: await world.passcode(email) },
  })
  await browser.call(sendToken, { body: { email } })
  const mails = await world.mail(email)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Your Figure passcode',
    'Your Figure passcode',
  ])
  for (const { from, text, html } of mails) {
    expect(from).toBe('Figure <no-reply@portico.example>')
    expect(text).toContain('Figure Demonstration Lending LLC')
    expect(`${text}${html}`).not.toMatch(/Cedar|CEDAR/)
  }
})
