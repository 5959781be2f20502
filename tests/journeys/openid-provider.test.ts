/** The lender's own applications sign their users in through Portico, with a published client library. */
import { deleteOwnAccount, endSessions } from '@portico/contracts/account-security'
import { logout, readSession } from '@portico/contracts/identity'
import { JWT_LIFETIME_S } from '@portico/contracts/limits'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Credentials } from '../support/browser.ts'
import { follow, lenderApplication, logoutReceiver } from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { aWorld } from '../support/world.ts'

let world: Awaited<ReturnType<typeof aWorld>>
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
