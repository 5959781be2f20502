/** The lender's own applications sign their users in through Portico, with a published client library. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  beginEmailChange,
  confirmEmailChange,
  deleteOwnAccount,
  endSessions,
  setEmailFactor,
} from '@portico/contracts/account-security'
import { BROKER } from '@portico/contracts/broker'
import { logout, readSession } from '@portico/contracts/identity'
import { JWT_LIFETIME_S } from '@portico/contracts/limits'
import { redeemSecondFactor, sendSecondFactor } from '@portico/contracts/two-factor'
import { openDatabase } from '@portico/server/database'
import { importPeople } from '@portico/server/import-people'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Browser, Credentials } from '../support/browser.ts'
import { logInByProvider, PROVIDER_PEOPLE, upToCallback } from '../support/identity-provider.ts'
import {
  follow,
  lenderApplication,
  logoutReceiver,
  publicClient,
} from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld, newPerson } from '../support/world.ts'

type World = Awaited<ReturnType<typeof aWorld>>

const { password: FOREIGN_PASSWORD, hashes } = JSON.parse(
  readFileSync(
    new URL('../../apps/server/src/secrets/foreign-hash-vectors.json', import.meta.url),
    'utf8',
  ),
) as { password: string; hashes: { hash: string }[] }

let world: World
let application: Awaited<ReturnType<typeof lenderApplication>>
beforeAll(async () => {
  world = await aWorld().withLog('info')
  application = await lenderApplication(world)
})
afterAll(() => world[Symbol.asyncDispose]())

test('a user without a session logs in on our page and returns to the application', {
  tags: 'database',
}, async () => {
  const browser = world.browser()
  const begun = await application.begin({ login_hint: PEOPLE.plain.email })
  const page = new URL(await follow(browser, begun.url))
  expect(page.pathname).toBe('/auth/login')
  expect(page.searchParams.get('orgCode')).toBe('HARBORLINE')
  expect(page.searchParams.get('email')).toBe(PEOPLE.plain.email)

  await browser.signIn(PEOPLE.plain)
  const to = page.searchParams.get('redirectUrl') ?? ''
  const callback = await follow(browser, `${world.origin}${to}`)
  const tokens = await application.exchange(begun, callback)
  expect(tokens.claims()).toMatchObject({
    iss: `${world.origin}/oidc`,
    aud: 'lender-app',
    email: PEOPLE.plain.email,
    email_verified: true,
    organization: 'FIGURE',
    acr: 'one-factor',
    amr: ['pwd'],
  })
  // The provider adds no session of its own to ours.
  expect([...browser.cookies.keys()].filter((name) => /session/.test(name))).toEqual([
    'portico-session',
  ])
})

/** Whether an application learns that the address of a browser's user is verified, from the ID token and from UserInfo. */
async function isVerifiedAt(world: World, clientId: string, browser: Browser): Promise<unknown> {
  const redirectUri = 'http://localhost:3000/callback'
  const application = await lenderApplication(world, { clientId, secret: undefined, redirectUri })
  const tokens = await application.signIn(browser)
  const claims = tokens.claims()
  const info = await application.userInfo(tokens.access_token, claims?.sub ?? '')
  expect(info.email_verified).toBe(claims?.['email_verified'])
  return info.email_verified
}

test('each of twelve tabs that open at once in a new browser goes on, at most after one press', {
  tags: 'database',
}, async () => {
  const browser = world.browser()
  const tabs = await Promise.all(Array.from({ length: 12 }, () => application.begin()))
  // No request has a cookie yet: all responses set theirs afterwards.
  const opened = await Promise.all(tabs.map(({ url }) => browser.fetch(url)))
  expect([...browser.cookies.keys()].filter((name) => name.includes('openid')).length).toBeLessThan(
    9,
  )
  const pages: string[] = []
  let presses = 0
  for (const { headers } of opened) {
    const interaction = headers.get('location') ?? ''
    const response = await browser.fetch(interaction)
    if (response.status !== 303) {
      presses += 1
      const html = await response.text()
      expect(html).toContain('Several logins began in this browser at the same time.')
      expect(html).toContain('Log in to The lender&#39;s application')
      expect(response.headers.get('content-security-policy')).toContain('http://localhost:3000')
      const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
      expect((await browser.fetch(action, { method: 'POST' })).status).toBe(303)
    }
    const page = new URL(await follow(browser, `${world.origin}${interaction}`))
    expect(page.pathname).toBe('/auth/login')
    pages.push(page.searchParams.get('redirectUrl') ?? '')
  }
  // Twelve secrets share eight names.
  expect(presses).toBeGreaterThan(3)
  await browser.signIn(PEOPLE.individual)
  for (const [index, tab] of tabs.entries()) {
    const callback = await follow(browser, `${world.origin}${pages[index]}`)
    const tokens = await application.exchange(tab, callback)
    expect(tokens.claims()).toMatchObject({ email: PEOPLE.individual.email })
  }
})

test('an address that a provider asserts is not verified for applications before a mailed code proves it', {
  tags: 'database',
}, async () => {
  const { customer } = PROVIDER_PEOPLE
  const client = publicClient('northgale', { organization: 'NORTHGALE' })
  await using world = await aWorld().withClients([client])
  const browser = world.browser()
  await logInByProvider(browser, 'customer', customer)
  expect(await isVerifiedAt(world, 'northgale', browser)).toBe(false)
  await browser.confirmByMail(customer.email)
  expect(await isVerifiedAt(world, 'northgale', browser)).toBe(true)
})

test('an imported address is not verified for applications before a mailed code proves it: at login, as the second step, to connect a provider or to change it', {
  tags: 'database',
}, async () => {
  using folder = temporaryFolder()
  const { customer } = PROVIDER_PEOPLE
  const [byCode, bySecondStep, byChange] = ['ada', 'bea', 'cleo'].map((name) => ({
    email: `${name}@people.example`,
    password: FOREIGN_PASSWORD,
  })) as [Credentials, Credentials, Credentials]
  const byLink = { ...customer, password: FOREIGN_PASSWORD }
  const lines = [byCode, bySecondStep, byChange, byLink].map(({ email }) => ({
    email,
    organization: email === byLink.email ? 'NORTHGALE' : 'FIGURE',
    passwordHash: hashes[0]?.hash,
  }))
  const file = join(folder.path, 'people.ndjson')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await using world = await aWorld()
    .withClients([publicClient('figure'), publicClient('northgale', { organization: 'NORTHGALE' })])
    .after(Date.now(), async (config) => {
      await (await openDatabase(config)).destroy()
      await importPeople(config, { file, isDryRun: false })
    })
  /** A browser that has proved the password twice, but not the mailbox. */
  async function signedIn(who: Credentials, clientId = 'figure') {
    const browser = world.browser()
    await browser.signIn(who)
    await browser.confirm(who)
    expect(await isVerifiedAt(world, clientId, browser)).toBe(false)
    return browser
  }

  const coded = await signedIn(byCode)
  await coded.signInByPasscode(byCode.email)
  expect(await isVerifiedAt(world, 'figure', coded)).toBe(true)

  const stepped = await signedIn(bySecondStep)
  await stepped.call(setEmailFactor, { body: { enabled: true } })
  const { twoFactorOptions } = await stepped.signIn(bySecondStep)
  const { loginUuid = '', aliases = [] } = twoFactorOptions ?? {}
  await stepped.call(sendSecondFactor, { body: { loginUuid, alias: aliases[0]?.uuid ?? '' } })
  const second = { loginUuid, token: await world.passcode(bySecondStep.email) }
  stepped.jwt.write((await stepped.call(redeemSecondFactor, { body: second })).jwt)
  expect(await isVerifiedAt(world, 'figure', stepped)).toBe(true)

  const changed = await signedIn(byChange)
  const { email } = newPerson()
  const { changeUuid } = await changed.call(beginEmailChange, { body: { email } })
  const currentToken = await world.passcode(byChange.email)
  const newToken = await world.passcode(email)
  await changed.call(confirmEmailChange, { body: { changeUuid, currentToken, newToken } })
  expect(await isVerifiedAt(world, 'figure', changed)).toBe(true)

  const linked = await signedIn(byLink, 'northgale')
  const { callback, state } = await upToCallback(linked, 'customer', customer)
  await linked.fetch(callback)
  const token = await world.passcode(customer.email)
  const { jwt } = await linked.call(BROKER.customer.linkAccount, { body: { state, token } })
  linked.jwt.write(jwt)
  expect(await isVerifiedAt(world, 'northgale', linked)).toBe(true)
})

test('a user with a session passes without a page, even with prompt=none', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.individual)
  const tokens = await application.signIn(browser, { prompt: 'none' })
  const sub = tokens.claims()?.sub ?? ''
  const info = await application.userInfo(tokens.access_token, sub)
  expect(info).toMatchObject({ sub, email: PEOPLE.individual.email })

  const refreshed = await application.refresh(tokens.refresh_token ?? '')
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
  expect(await application.introspect(refreshed.access_token)).toMatchObject({ active: true, sub })
})

test('logging out ends the grant: the refresh is refused and the access token is inactive', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.several)
  const tokens = await application.signIn(browser)
  await browser.logOut()
  await expect(application.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  expect(await application.introspect(tokens.access_token)).toEqual({ active: false })
  await expect(
    application.userInfo(tokens.access_token, tokens.claims()?.sub ?? ''),
  ).rejects.toMatchObject({ status: 401 })
})

test('an application that proves its sign-in logs the user out, and the browser returns to it', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.broker)
  const tokens = await application.signIn(browser)
  const to = await follow(
    browser,
    application.logoutUrl({
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'http://localhost:3000/',
      state: 'bye',
    }),
  )
  expect(to).toBe('http://localhost:3000/?state=bye')
  expect(browser.cookies.has('portico-session')).toBe(false)
  expect(await application.introspect(tokens.access_token)).toEqual({ active: false })
})

test('however a session ends, the application is notified once', {
  tags: 'database',
}, async () => {
  await using receiver = await logoutReceiver()
  await using world = await aWorld()
    .withClients([receiver.client])
    .withNodes(ON_POSTGRES ? 2 : 1)
  const application = await lenderApplication(world, receiver.application)
  const signIn = async (who: Credentials = PEOPLE.plain) => {
    const browser = world.browser()
    await browser.signIn(who)
    const sid = (await application.signIn(browser)).claims()?.['sid']
    return { browser, sid }
  }
  const [first, second, third] = [await signIn(), await signIn(), await signIn()]
  await first.browser.logOut()
  expect(await receiver.next()).toMatchObject({ sid: first.sid })
  await second.browser.confirm(PEOPLE.plain)
  await second.browser.call(endSessions, { body: { which: 'others' } })
  expect(await receiver.next()).toMatchObject({ sid: third.sid })
  await world.lock(PEOPLE.plain.email)
  const logout = await receiver.next()
  expect(logout).toMatchObject({ sid: second.sid, iss: `${world.origin}/oidc`, aud: 'receiver' })
  expect(logout).toHaveProperty('events', {
    'http://schemas.openid.net/event/backchannel-logout': {},
  })
  const deleted = await signIn(PEOPLE.individual)
  const { email } = PEOPLE.individual
  await deleted.browser.confirm(PEOPLE.individual)
  await deleted.browser.call(deleteOwnAccount, { body: { email, deleteHostedWallets: true } })
  expect(await receiver.next()).toMatchObject({ sid: deleted.sid })
  expect(receiver.waiting()).toBe(0)
})

test('an application that does not answer delays no other application’s notices', {
  tags: 'database',
}, async () => {
  await using silent = await logoutReceiver({ clientId: 'silent', answers: false })
  await using receiver = await logoutReceiver()
  await using world = await aWorld().withClients([silent.client, receiver.client])
  const signIn = async ({ application }: typeof receiver) => {
    const browser = world.browser()
    await browser.signIn(PEOPLE.plain)
    const tokens = await (await lenderApplication(world, application)).signIn(browser)
    return { browser, sid: tokens.claims()?.['sid'] }
  }
  const [first, second] = [await signIn(silent), await signIn(receiver)]
  await first.browser.logOut()
  expect(await silent.next()).toMatchObject({ sid: first.sid })
  await second.browser.logOut()
  expect(await receiver.next()).toMatchObject({ sid: second.sid })
  expect(silent.unanswered()).toBe(1)
})

test('a session end that no node noticed at once is announced within the hour', async () => {
  await using receiver = await logoutReceiver()
  await using world = await aWorld().withClients([receiver.client])
  const application = await lenderApplication(world, receiver.application)
  const [browser, other] = [world.browser(), world.browser()]
  await browser.signIn(PEOPLE.plain)
  const sid = (await application.signIn(browser)).claims()?.['sid']
  // Only this notice proves that the first scan of all sessions is complete.
  await other.signIn(PEOPLE.individual)
  const otherSid = (await application.signIn(other)).claims()?.['sid']
  await other.logOut()
  expect(await receiver.next()).toMatchObject({ sid: otherSid })

  const [id = ''] = (browser.cookies.get('portico-session') ?? '').split('.')
  await world.server.stores.sessions.end(id, world.clock.now() - 5 * 60 * 1000)
  world.clock.pass(60 * 60 * 1000)
  expect(await receiver.next()).toMatchObject({ sid })
})

test('a server that renders pages reads the session by the cookie alone, and no one caches it', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.individual)
  browser.jwt.remove()
  const response = await browser.fetch(readSession.path)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.has('access-control-allow-origin')).toBe(false)
  const { session } = await browser.call(readSession, {})
  expect(session).toMatchObject({ email: PEOPLE.individual.email, organizationCode: 'FIGURE' })
  // It counts as use of the session.
  world.clock.pass(1400 * 1000)
  await browser.call(readSession, {})
  world.clock.pass(1400 * 1000)
  expect((await browser.call(readSession, {})).session?.email).toBe(PEOPLE.individual.email)
  await browser.call(logout, {})
  expect(await browser.call(readSession, {})).toEqual({ session: null })
})

test('an address of the provider that does not exist shows the not-found page, and answers calls in the error shape', async () => {
  const path = '/oidc/auth?client_id=lender-app'
  const page = await fetch(`${world.url}${path}`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toContain('text/html')
  const call = await fetch(`${world.url}${path}`, { method: 'POST' })
  expect(call.status).toBe(404)
  expect(await call.json()).toMatchObject({ code: 'not-found' })
})

test('a refresh returns its tokens although the database is lost before the session is extended', async () => {
  const browser = world.browser()
  await browser.signIn(PEOPLE.individual)
  const tokens = await application.signIn(browser, { prompt: 'none' })
  const { sessions } = world.server.stores
  const { updateExpiry } = sessions
  let isLost = false
  Object.assign(sessions, {
    updateExpiry: async () => {
      isLost = true
      throw new Error('The connection was lost')
    },
  })
  onTestFinished(() => void Object.assign(sessions, { updateExpiry }))
  world.clock.pass((JWT_LIFETIME_S - 60) * 1000)
  const refreshed = await application.refresh(tokens.refresh_token ?? '')
  expect(isLost).toBe(true)
  expect(await application.introspect(refreshed.access_token)).toMatchObject({ active: true })
})

test('the metadata advertise only the response mode that clients may use', async () => {
  const metadata = await world.browser().fetch('/oidc/.well-known/openid-configuration')
  expect(await metadata.json()).toMatchObject({ response_modes_supported: ['query'] })
})

test('a refused request is logged with its reason', async () => {
  const logged = world.log.length
  const begun = await application.begin({ response_mode: 'form_post' })
  await world.browser().fetch(begun.url)
  await world.browser().fetch(begun.url.replace('callback', 'other'))
  const entries = world.log.slice(logged).join()
  expect(entries).toContain('the OpenID provider refused a request')
  expect(entries).toContain('requested response_mode is not allowed for this client')
  expect(entries).toMatch(/"client":"lender-app","error":"invalid_redirect_uri","reason":"[^"]+"/)
})
