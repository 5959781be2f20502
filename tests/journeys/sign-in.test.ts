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
import { aWorld, OTHER_PASSWORD, PASSWORD, PEOPLE, refusal, somebody } from '../support/world.ts'

test('4.6 registers by e-mail, code and password, logs out, and logs in by password and by passcode', async () => {
  await using world = await aWorld()
  const { email, password } = somebody('new')
  const browser = world.browser()

  const begun = await browser.call(register, { body: { email } })
  expect(begun.jwt).toMatch(/^ey/)
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const code = await world.passcode(email)
  const redeemed = await browser.call(redeemToken, { body: { loginUuid: uuid, token: code } })
  browser.jwt.keep(redeemed.jwt ?? '')
  const fresh = await browser.call(readIdentity, {})
  expect(fresh.passwordExpired).toBe(true)
  await browser.call(setPassword, { body: { newPassword: password } })

  const { identity, passwordExpired } = await browser.call(readExpandedIdentity, {})
  expect(passwordExpired).toBe(false)
  expect(identity).toMatchObject({
    organizationCode: 'FIGURE',
    profileType: 'CUSTOMER',
    passwordExpired: false,
    twoFactorEnabled: false,
    aliases: [{ type: 'Email', value: email, verified: true, auth: true }],
  })

  await browser.logOut()
  expect(await refusal(browser.call(readIdentity, {}))).toMatchObject({ status: 401 })
  expect(await browser.signIn({ email, password })).toEqual({ jwt: expect.any(String) })
  await browser.logOut()
  expect(await browser.signInByPasscode(email)).toEqual({ jwt: expect.any(String) })
  expect((await browser.call(readIdentity, {})).identity.uuid).toBe(identity.uuid)
})
