import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { redeemToken, register, sendToken, setPassword } from '@portico/contracts/identity'
import type { MailTransport } from '@portico/server/mail-transport'
import { expect, test, vi } from 'vitest'
import { aWorld, newPerson, OTHER_PASSWORD, refusal } from '../support/world.ts'

const TABLES = [
  'aliases',
  'audit_events',
  'borrower_query_params',
  'counters',
  'devices',
  'attempts',
  'identities',
  'messages',
  'passcodes',
  'registrations',
  'sessions',
  'signing_keys',
  'single_uses',
]

test('4 stored data contains no password, code, token, cookie or mail text', {
  tags: 'database',
}, async () => {
  await using world = await aWorld()
  const { email, password } = newPerson('kept')
  const browser = world.browser()
  const { jwt } = await browser.call(register, { body: { email } })
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const code = await world.passcode(email)
  const redeemed = await browser.call(redeemToken, { body: { loginUuid: uuid, token: code } })
  browser.jwt.write(redeemed.jwt ?? '')
  await browser.call(setPassword, { body: { newPassword: password } })
  await browser.call(sendToken, { body: { email } })
  const unusedCode = await world.passcode(email)

  const stored = await dump(world)
  expect(stored).toContain(email)
  const [, cookieSecret = ''] = (browser.cookies.get('portico-session') ?? '').split('.')
  const secrets = {
    password,
    'registration token': jwt,
    'session token': redeemed.jwt ?? '',
    'cookie of the session': cookieSecret,
    'cookie of the device': browser.cookies.get('portico-device') ?? '',
    'text of a mail': 'Enter this passcode',
    'subject of a mail': 'Your Figure passcode',
    'signing key': 'PRIVATE KEY',
  }
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(8)
    expect(stored.includes(secret), what).toBe(false)
  }
  // Six digits may occur inside random text, but not as a separate value.
  for (const each of [code, unusedCode]) expect(stored).not.toMatch(new RegExp(`\\b${each}\\b`))
})

/** All stored data: every row, and for the embedded database every byte of its files. */
async function dump(world: Awaited<ReturnType<typeof aWorld>>): Promise<string> {
  const rows = await Promise.all(TABLES.map((table) => world.query(`select * from ${table}`)))
  const files = readdirSync(world.dataDir).map((name) =>
    readFileSync(join(world.dataDir, name), 'latin1'),
  )
  return [JSON.stringify(rows), ...files].join('\n')
}

test('9 an account’s whole life leaves no secret, code, token or address in the log', async () => {
  await using world = await aWorld().withLog('trace')
  const { email, password } = newPerson('logged')
  const browser = world.browser()
  const sensitive: string[] = [email, email.split('@')[0] ?? '', password, OTHER_PASSWORD]
  const { jwt } = await browser.call(register, { body: { email } })
  sensitive.push(jwt)
  const { uuid } = await browser.call(sendToken, { body: { email } })
  const code = await world.passcode(email)
  sensitive.push(code)
  const wrong = { loginUuid: uuid, token: code === '246810' ? '135791' : '246810' }
  await refusal(browser.call(redeemToken, { body: wrong }))
  const redeemed = await browser.call(redeemToken, { body: { loginUuid: uuid, token: code } })
  sensitive.push(redeemed.jwt ?? '')
  browser.jwt.write(redeemed.jwt ?? '')
  await browser.call(setPassword, { body: { newPassword: password } })
  await refusal(browser.signIn({ email, password: OTHER_PASSWORD }))
  await browser.signIn({ email, password })
  sensitive.push(browser.jwt.read() ?? '', ...browser.cookies.values())
  await browser.fetch(`/auth/login?email=${encodeURIComponent(email)}`)
  await browser.fetch(`/nowhere/${encodeURIComponent(email)}`)
  await browser.fetch('/identity/api/v2/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"${email}","password":"${password}"`,
  })
  world.server.stores.identities.findByEmail = () =>
    Promise.reject(new Error(`no row for ${email}, code ${code}, ${redeemed.jwt}`))
  expect((await refusal(browser.signIn({ email, password }))).status).toBe(500)
  await browser.logOut()

  const log = world.log.join('')
  expect(log).toContain('"msg":"request"')
  expect(log).toContain('"msg":"defect"')
  expect(log).toContain('no row for [email] code [code], [token]')
  for (const each of sensitive.filter((text) => text !== 'FIGURE')) {
    expect(each.length).toBeGreaterThan(5)
    expect(log.includes(each), each).toBe(false)
  }
})

test('9 a mail server that echoes its input leaves none of it in the log', async () => {
  const { email } = newPerson('bounced')
  let code = ''
  const quoting: MailTransport = {
    send({ to, text }) {
      code = /^\d{6}$/m.exec(text)?.[0] ?? ''
      return Promise.reject(new Error(`550 <${to}> refused: ${text}`))
    },
    close: () => undefined,
  }
  await using world = await aWorld().inProduction(quoting).withLog('trace')
  const browser = world.browser()
  await browser.call(register, { body: { email } })
  await browser.call(sendToken, { body: { email } })
  await vi.waitFor(() => expect(world.log.join('')).toContain('mail not sent'), 30_000)
  const log = world.log.join('')
  expect(log).toContain('550 <[email]> refused')
  expect(log).not.toContain(email)
  expect(code).toMatch(/^\d{6}$/)
  expect(log).not.toMatch(new RegExp(`\\b${code}\\b`))
})
