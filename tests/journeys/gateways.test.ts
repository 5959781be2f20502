import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import {
  beginPhone,
  confirmIdentity,
  makeRecoveryCodes,
  readSecurity,
  sendConfirmation,
} from '@portico/contracts/account-security'
import { login, redeemToken, register, sendToken, setPassword } from '@portico/contracts/identity'
import { redeemSecondFactor, sendSecondFactor } from '@portico/contracts/two-factor'
import { expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { listen } from '../support/listen.ts'
import { PEOPLE } from '../support/people.ts'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

/** A fake third-party service. */
async function aGateway(listener: RequestListener) {
  const server = createServer(listener)
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function signedIn(url: string) {
  const owner = newPerson('breached')
  const world = await aWorld().withCustomer(owner).withSettings({ BREACH_CHECK_URL: url })
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  return { world, browser }
}

test('4.5 a phone code is sent through the configured gateway and retried after a failure', async () => {
  const bodies: { to: string; text: string }[] = []
  let calls = 0
  await using gateway = await aGateway((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      calls += 1
      if (calls > 1) {
        bodies.push(JSON.parse(Buffer.concat(parts).toString()) as { to: string; text: string })
      }
      response.writeHead(calls > 1 ? 202 : 503).end()
    })
  })
  await using world = await aWorld().withSettings({ SMS_URL: gateway.url })
  const browser = world.browser()
  const { email, password, phone } = PEOPLE.phone
  const { twoFactorOptions } = await browser.call(login, { body: { email, password } })
  const { loginUuid = '', aliases = [] } = twoFactorOptions ?? {}
  await browser.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } })
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 20_000 })
  // The next attempt is scheduled when the failure is recorded, which may be later than the response.
  await vi.waitFor(
    () => {
      world.clock.pass(3000)
      expect(bodies).toHaveLength(1)
    },
    { timeout: 30_000, interval: 500 },
  )
  expect(bodies[0]).toEqual({ to: phone, text: expect.stringMatching(/^\d{6} is your Figure/) })
  expect(await world.mail(phone)).toEqual([])
  const token = bodies[0]?.text.slice(0, 6) ?? ''
  const { jwt } = await browser.call(redeemSecondFactor, { body: { loginUuid, token } })
  expect(jwt).toMatch(/^ey/)
})

test('4.5 without a gateway production adds no phone, and an existing one is no dead end', async () => {
  const mails: string[] = []
  const transport = {
    send: async ({ text }: { text: string }) => void mails.push(text),
    close: () => undefined,
  }
  await using world = await aWorld().inProduction(transport).withLog('info')
  expect(world.log.filter((line) => line.includes('SMS_URL is not set'))).toHaveLength(1)
  const { email, password } = newPerson('texted')
  /** The code in the next mail that has one. */
  const mailed = async (sending: Promise<unknown>) => {
    const before = mails.length
    await sending
    const code = () => /^\d{6}$/m.exec(mails.slice(before).join('\n'))?.[0] ?? ''
    await vi.waitFor(() => expect(code()).not.toBe(''), { timeout: 20_000 })
    return code()
  }
  const byPasscode = async (browser: Browser) => {
    let loginUuid = ''
    const sending = browser.call(sendToken, { body: { email } }).then(({ uuid }) => {
      loginUuid = uuid
    })
    const token = await mailed(sending)
    return browser.call(redeemToken, { body: { loginUuid, token } })
  }
  const own = world.browser()
  await own.call(register, { body: { email } })
  own.jwt.write((await byPasscode(own)).jwt ?? '')
  await own.call(setPassword, { body: { newPassword: password } })
  const confirm = async () => {
    let confirmation = ''
    const token = await mailed(
      own.call(sendConfirmation, {}).then(({ loginUuid }) => {
        confirmation = loginUuid
      }),
    )
    await own.call(confirmIdentity, { body: { loginUuid: confirmation, token } })
  }
  await confirm()
  const phone = own.call(beginPhone, { body: { phone: '201 555 0187' } })
  expect((await refusal(phone)).code).toBe('texts-not-available')
  expect((await own.call(readSecurity, {})).textsAvailable).toBe(false)

  const { identities } = world.server.stores
  const { id: identityId = '' } = (await identities.findByEmail(email)) ?? {}
  const at = world.clock.now()
  await identities.insertAlias({
    identityId,
    type: 'Phone',
    value: '+12015550187',
    verifiedAt: at,
    at,
  })
  // After the password a mailed code replaces the phone: the password alone is not enough.
  const other = world.browser()
  const { twoFactorOptions, jwt } = await other.call(login, { body: { email, password } })
  expect(jwt).toBeUndefined()
  expect(twoFactorOptions).toMatchObject({ emailFactorSupported: true, totpEnabled: false })
  const { loginUuid = '', aliases = [] } = twoFactorOptions ?? {}
  expect(aliases.map(({ type }) => type)).toEqual(['Email'])
  const alias = aliases[0]?.uuid ?? ''
  const token = await mailed(other.call(sendSecondFactor, { body: { loginUuid, alias } }))
  expect((await other.call(redeemSecondFactor, { body: { loginUuid, token } })).jwt).toMatch(/^ey/)

  // A mailed passcode already proves the mailbox, so only recovery methods remain.
  await own.call(makeRecoveryCodes, {})
  expect((await byPasscode(world.browser())).twoFactorOptions).toEqual({
    loginUuid: expect.any(String),
    aliases: [],
    emailFactorSupported: false,
    totpEnabled: false,
    recoveryCodesEnabled: true,
  })
})

test('5 the most common passwords are always refused as breached', async () => {
  const owner = newPerson('common')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  await browser.confirm(owner)
  const passwords = ['P@ssw0rd', 'Sunshine2024!', '!!dragon99', 'iloveyou1234567890']
  for (const newPassword of ['password', 'Password', '12345678', 'qwerty', ...passwords]) {
    const call = browser.call(setPassword, { body: { newPassword } })
    expect(await refusal(call), newPassword).toMatchObject({
      status: 400,
      code: 'breached-password',
    })
  }
})

test('5 a breached password is found by five digits of its hash; padding is ignored', async () => {
  const hash = createHash('sha1').update(OTHER_PASSWORD).digest('hex').toUpperCase()
  const requestedUrls: string[] = []
  let count = 0
  await using gateway = await aGateway((request, response) => {
    requestedUrls.push(request.url ?? '')
    response.end(`${'0'.repeat(35)}:7\r\n${hash.slice(5)}:${count}\r\n`)
  })
  const { world, browser } = await signedIn(gateway.url)
  await using _ = world
  const set = () => browser.call(setPassword, { body: { newPassword: OTHER_PASSWORD } })
  await set()
  count = 3
  expect(await refusal(set())).toMatchObject({ status: 400, code: 'breached-password' })
  expect(requestedUrls).toContain(`/${hash.slice(0, 5)}`)
  expect(requestedUrls.every((each) => each.length === 6)).toBe(true)
})

test('5 a breach check that fails or never answers lets the password pass', async () => {
  let silent = false
  await using gateway = await aGateway((_request, response) => {
    if (!silent) response.writeHead(500).end()
  })
  const { world, browser } = await signedIn(gateway.url)
  await using _ = world
  const set = (newPassword: string) => browser.call(setPassword, { body: { newPassword } })
  await set(OTHER_PASSWORD)
  silent = true
  await set(`${OTHER_PASSWORD}-again`)
})
