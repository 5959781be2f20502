import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  login,
  readExpandedIdentity,
  readIdentity,
  redeemToken,
  register,
  sendToken,
  setPassword,
} from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { PEOPLE } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { aWorld, newPerson, OTHER_PASSWORD, PASSWORD, refusal } from '../support/world.ts'

const JWT = { jwt: expect.any(String) }

test('4.6 registers by e-mail, code and password, logs out, and logs in by password and by passcode', async () => {
  await using world = await aWorld()
  const { email, password } = newPerson('new')
  const browser = world.browser()

  await browser.call(register, { body: { email } })
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const token = await world.passcode(email)
  const redeemed = await browser.call(redeemToken, { body: { loginUuid: uuid, token } })
  browser.jwt.write(redeemed.jwt ?? '')
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(true)
  await browser.call(setPassword, { body: { newPassword: password } })

  const { identity, passwordExpired } = await browser.call(readExpandedIdentity, {})
  // Both versions return the same (§3).
  expect((await browser.call(readIdentity, {})).identity).toEqual(identity)
  expect(passwordExpired).toBe(false)
  expect(identity).toMatchObject({
    organizationCode: 'FIGURE',
    profileType: 'CUSTOMER',
    passwordExpired: false,
    twoFactorEnabled: false,
    aliases: [{ type: 'Email', value: email, verified: true, auth: true }],
  })

  await browser.logOut()
  expect((await refusal(browser.call(readIdentity, {}))).status).toBe(401)
  expect(await browser.signIn({ email, password })).toEqual(JWT)
  await browser.logOut()
  expect(await browser.signInByPasscode(email)).toEqual(JWT)
  expect((await browser.call(readIdentity, {})).identity.uuid).toBe(identity.uuid)
})

test('4.6 a person with an account who registers again is signed in, with the password unchanged', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.call(register, { body: { email: owner.email } })
  await browser.signInByPasscode(owner.email)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
  await world.browser().signIn(owner)
})

test('5 an address is the same however it is written', async () => {
  const owner = newPerson('case')
  await using world = await aWorld().withCustomer(owner)
  const written = `  ${owner.email.toUpperCase().replace('C', 'Ｃ')} `
  expect(await world.browser().signIn({ email: written, password: PASSWORD })).toEqual(JWT)
})

test('5 both forms of an international domain are one mailbox with one identity', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const [name] = newPerson('idn').email.split('@')
  const unicode = `${name}@bücher.example`
  await browser.register({ email: unicode, password: PASSWORD })
  const { identity } = await browser.call(readIdentity, {})
  const ascii = world.browser()
  expect(
    await ascii.signIn({ email: `${name}@XN--Bcher-KVA.example`, password: PASSWORD }),
  ).toEqual(JWT)
  expect((await ascii.call(readIdentity, {})).identity.uuid).toBe(identity.uuid)
  const stored = await world.query(`select email from identities where email like '${name}@%'`)
  expect(stored).toEqual([{ email: `${name}@xn--bcher-kva.example` }])
})

test('2.3 a forgotten password is replaced after a passcode, and only the new one opens the account', async () => {
  const owner = newPerson('forgetful')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signInByPasscode(owner.email)
  await browser.confirmByMail(owner.email)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  expect(await refusal(world.browser().signIn(owner))).toMatchObject({
    status: 400,
    code: 'wrong-credentials',
  })
  expect(await world.browser().signIn({ ...owner, password: OTHER_PASSWORD })).toEqual(JWT)
})

test('4.4 an expired password signs its owner in, is reported, and is replaced by a new one', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await browser.signIn(PEOPLE.expired)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(true)
  await browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  const { identity, passwordExpired } = await browser.call(readIdentity, {})
  expect([passwordExpired, identity.passwordExpired]).toEqual([false, false])
})

test('4.4 a person without a password signs in by passcode and is asked to choose one', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  await browser.signInByPasscode(PEOPLE.passwordless.email)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(true)
})

test('2.3 a lock is reported after the correct password or code, not before', async () => {
  await using world = await aWorld()
  const { email, password } = PEOPLE.locked
  const browser = world.browser()
  expect(await refusal(browser.signIn({ email, password: PASSWORD }))).toMatchObject({
    status: 400,
    code: 'wrong-credentials',
  })
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const token = await world.passcode(email)
  const wrong = token === '000000' ? '000001' : '000000'
  expect(
    await refusal(browser.call(redeemToken, { body: { loginUuid: uuid, token: wrong } })),
  ).toMatchObject({ status: 400, code: 'code-wrong' })

  const lockedResponse = { isAccountManuallyLocked: true }
  expect(await browser.call(login, { body: { email, password } })).toEqual(lockedResponse)
  expect(await browser.call(redeemToken, { body: { loginUuid: uuid, token } })).toEqual(
    lockedResponse,
  )
  expect(browser.cookies.has('portico-session')).toBe(false)
})

test('4.4 an account with a moved login is sent there after the correct password, without a session', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  expect(await browser.signIn(PEOPLE.moved)).toEqual({ redirectUrl: '/account/heloc' })
  expect(browser.cookies.has('portico-session')).toBe(false)
})

test('7.2 if the organization’s login has moved, token/send leads there and mails no passcode to any address', async () => {
  using folder = temporaryFolder()
  cpSync(fileURLToPath(new URL('../../config/', import.meta.url)), folder.path, { recursive: true })
  const file = join(folder.path, 'organizations', 'harborline.json')
  const content = JSON.parse(readFileSync(file, 'utf8')) as { behaviors?: object }
  const redirect = 'https://new.harborline.example/login'
  const behaviors = { ...content.behaviors, loginMovedTo: redirect }
  writeFileSync(file, JSON.stringify({ ...content, behaviors }))
  const customer = newPerson('moved')
  await using world = await aWorld()
    .withSettings({ CONFIG_DIR: folder.path })
    .withCustomer(customer)
  const before = await world.mail(customer.email)
  const unknown = newPerson('unknown').email
  const registering = newPerson('registering').email
  const headers = { 'x-organization': 'HARBORLINE' }
  const browser = world.browser({ headers })
  await browser.call(register, { body: { email: registering } })
  for (const email of [customer.email, unknown, registering]) {
    expect(await browser.call(sendToken, { body: { email } })).toEqual({
      uuid: expect.any(String),
      redirect,
    })
  }
  expect(await world.mail(customer.email)).toEqual(before)
  expect([await world.mail(unknown), await world.mail(registering)]).toEqual([[], []])
  // Elsewhere the customer gets one.
  const { uuid } = await world.browser().call(sendToken, { body: { email: customer.email } })
  const body = { loginUuid: uuid, token: await world.passcode(customer.email) }
  expect(await world.browser().call(redeemToken, { body })).toEqual(JWT)
})

test('4.6 a code that is requested when the registration has expired begins it again', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { email } = newPerson('slow')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  await browser.call(sendToken, { body: { email } })
  world.clock.pass(61 * 60 * 1000)
  // What "Resend code" does.
  await browser.call(register, { body: { email } })
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const [mail] = await world.mail(email)
  expect(mail?.subject).toBe('Your Figure passcode')
  const body = { loginUuid: uuid, token: await world.passcode(email) }
  expect(await browser.call(redeemToken, { body })).toEqual(JWT)
})

test('8 a wrong password and an unknown address get the same error', async () => {
  const owner = newPerson('known')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const bodies = await Promise.all(
    [owner.email, newPerson('unknown').email].map(async (email) => {
      const response = await browser.fetch('/identity/api/v2/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'not the password' }),
      })
      return [response.status, await response.json()]
    }),
  )
  expect(bodies[0]).toEqual(bodies[1])
  expect(bodies[0]).toEqual([
    400,
    {
      code: 'wrong-credentials',
      message: 'The email or password is incorrect.',
      errors: ['The email or password is incorrect.'],
    },
  ])
})

test('5 a weak password is refused, including one based on the email address or the lender', async () => {
  await using world = await aWorld()
  const { email } = newPerson('weak')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  await browser.signInByPasscode(email)
  for (const newPassword of [
    'a',
    email,
    'a'.repeat(256),
    'garden bee',
    'FigureLending2026',
    'F1gure-Lending-2026!',
    'FigureFigureFigureFigure',
  ]) {
    expect(
      await refusal(browser.call(setPassword, { body: { newPassword } })),
      newPassword,
    ).toMatchObject({ status: 400, code: 'weak-password' })
  }
})

test('4.5 a password is changed only within five minutes of the sign-in', async () => {
  const owner = newPerson('late')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  world.clock.pass(5 * 60 * 1000)
  expect(
    await refusal(browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })),
  ).toMatchObject({ status: 403, code: 'sign-in-too-old' })
  expect(browser.jwt.read()).toBeDefined()
})

test('4.4 signing in again ends the session the browser had', async () => {
  const owner = newPerson('again')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const [before, cookie] = [browser.jwt.read() ?? '', browser.cookies.get('portico-session') ?? '']
  await browser.signIn(owner)
  const stolen = world.browser({ headers: { authorization: before } })
  stolen.cookies.set('portico-session', cookie)
  expect((await refusal(stolen.call(readIdentity, {}))).status).toBe(401)
})
