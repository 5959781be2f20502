import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CLIENT, fakeProvider } from './fake-provider.ts'
import { memoryStore, type SessionStore } from './session-store.ts'
import { openSignIn, type SignIn } from './sign-in.ts'

const APP = 'http://localhost:3000'
const SECRET = 'a cookie secret of more than 32 characters'

let provider: Awaited<ReturnType<typeof fakeProvider>>
let store: SessionStore
let signIn: SignIn
const errors: unknown[] = []
beforeEach(async () => {
  errors.length = 0
  provider = await fakeProvider()
  store = memoryStore()
  signIn = open()
})
afterEach(async () => {
  vi.useRealTimers()
  await provider[Symbol.asyncDispose]()
})

function open(
  options: { appUrl?: string; cookieSecret?: string | readonly [string, string] } = {},
): SignIn {
  return openSignIn({
    issuer: provider.issuer,
    ...CLIENT,
    appUrl: APP,
    cookieSecret: SECRET,
    store,
    log: (error) => errors.push(error),
    ...options,
  })
}

/** A browser that only this application sees. */
function openBrowser(app = signIn) {
  const cookies = new Map<string, string>()
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await app.handle(new Request(`${APP}${path}`, { ...init, headers }))
    if (response === undefined) throw new Error(`${path} is not served`)
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (each.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  const session = () =>
    app.session({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  return { cookies, send, session }
}

/** Begins a login. Returns the authorization request. */
async function begin(browser: ReturnType<typeof openBrowser>, path = '/login') {
  const response = await browser.send(path)
  return new URL(response.headers.get('location') ?? '').searchParams
}

/** Completes a login as Portico does. */
async function answer(
  browser: ReturnType<typeof openBrowser>,
  asked: URLSearchParams,
  { claims = {}, expiresIn = 600 }: { claims?: object; expiresIn?: number } = {},
) {
  const nonce = asked.get('nonce')
  const idToken = await provider.idToken({ claims: { nonce, ...claims } })
  provider.answers.set('/oidc/token', () => ({
    token_type: 'Bearer',
    access_token: 'access-1',
    refresh_token: 'refresh-1',
    expires_in: expiresIn,
    id_token: idToken,
  }))
  return browser.send(`/callback?${new URLSearchParams({ ...callbackOf(asked) })}`)
}

const callbackOf = (asked: URLSearchParams) => ({
  code: 'code-1',
  state: asked.get('state') ?? '',
  iss: provider.issuer,
})

async function signedIn(options: { claims?: object; expiresIn?: number } = {}) {
  const browser = openBrowser()
  await answer(browser, await begin(browser), options)
  return browser
}

/** Every refresh returns new tokens. */
function answerRefreshes({ claims = {}, delayMs = 0 } = {}) {
  provider.answers.set('/oidc/token', async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    return {
      token_type: 'Bearer',
      access_token: 'access-2',
      refresh_token: 'refresh-2',
      expires_in: 600,
      id_token: await provider.idToken({ claims }),
    }
  })
}

test('a login uses PKCE, state and nonce, returns to the page, and gives the browser no token', async () => {
  const browser = openBrowser()
  const asked = await begin(
    browser,
    '/login?returnTo=/loan%3Ftab%3D2&loginHint=avery@people.example',
  )
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: CLIENT.clientId,
    redirect_uri: `${APP}/callback`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    login_hint: 'avery@people.example',
  })
  const response = await answer(browser, asked)
  expect(response.headers.get('location')).toBe('/loan?tab=2')
  const [request] = provider.requestsOf('token')
  expect(request?.form.get('code_verifier')).toHaveLength(43)
  const [cookie = ''] = response.headers.getSetCookie().filter((each) => /session=/.test(each))
  expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/)
  expect([...browser.cookies.keys()]).toEqual(['lender-app-session'])
  expect(cookie).not.toMatch(/access-1|refresh-1/)
  expect((await browser.session())?.claims).toMatchObject({ sub: 'user-1' })
  const described = await browser.send('/session')
  expect(described.headers.get('cache-control')).toBe('no-store')
  expect(await described.json()).toEqual({
    user: { sub: 'user-1', email: 'avery@people.example', organization: 'HARBORLINE' },
  })
})

test('a cookie secret is rotated: sessions and logins with either secret continue, and the first one seals', async () => {
  const next = `the next of ${SECRET}`
  const [before, during, after] = [
    signIn,
    open({ cookieSecret: [next, SECRET] }),
    open({ cookieSecret: next }),
  ]
  const movedTo = (app: SignIn, { cookies }: ReturnType<typeof openBrowser>) => {
    const browser = openBrowser(app)
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    return browser
  }
  const early = await signedIn()
  expect((await movedTo(during, early).session())?.claims.sub).toBe('user-1')
  expect(await movedTo(after, early).session()).toBeUndefined()

  const begun = openBrowser(before)
  const asked = await begin(begun)
  const completed = movedTo(during, begun)
  expect((await answer(completed, asked)).headers.get('location')).toBe('/')
  // Values sealed with the first secret no longer need the other one, and processes with both in the other order can open
  // them.
  expect((await movedTo(after, completed).session())?.claims.sub).toBe('user-1')
  expect(await movedTo(before, completed).session()).toBeUndefined()
  const earlier = open({ cookieSecret: [SECRET, next] })
  expect((await movedTo(earlier, completed).session())?.claims.sub).toBe('user-1')
})

test('on https the cookies are host-bound and secure', async () => {
  const app = open({ appUrl: 'https://app.lender.example' })
  const response = await app.handle(new Request(`${APP}/login`))
  for (const cookie of response?.headers.getSetCookie() ?? ['none']) {
    expect(cookie).toMatch(/^__Host-lender-app-login-.*; Path=\/; .*; Secure$/)
  }
})

test('two tabs can log in at the same time, and many pending logins do not overflow the cookies', async () => {
  const browser = openBrowser()
  const [first, second] = [await begin(browser), await begin(browser, '/login?returnTo=/loan')]
  expect((await answer(browser, second)).headers.get('location')).toBe('/loan')
  expect((await answer(browser, first)).headers.get('location')).toBe('/')
  const other = openBrowser()
  for (let count = 0; count < 30; count += 1) await begin(other)
  expect(other.cookies.size).toBeLessThan(6)
})

test('a forged, foreign, changed, oversized or repeated callback signs no one in', async () => {
  const expired = '/?signIn=expired'
  const victim = openBrowser()
  const attacker = openBrowser()
  const [asked, planted] = [await begin(victim), await begin(attacker)]
  const callback = async (query: object) =>
    (await victim.send(`/callback?${new URLSearchParams({ ...query })}`)).headers.get('location')
  expect(await callback({})).toBe(expired)
  expect(await callback({ ...callbackOf(asked), state: 'x' })).toBe(expired)
  // The attacker's code: its state belongs to the attacker's browser.
  expect(await callback(callbackOf(planted))).toBe(expired)
  const [name = '', value = ''] = [...victim.cookies][0] ?? []
  for (const changed of [`${value.slice(0, -2)}AA`, 'x'.repeat(5000), '', 'a.b.c.d.e']) {
    victim.cookies.set(name, changed)
    expect(await callback(callbackOf(asked))).toBe(expired)
  }
  // Sealed by another secret.
  const foreign = openBrowser(open({ cookieSecret: `another ${SECRET}` }))
  await foreign.send('/login')
  victim.cookies.set(name, [...foreign.cookies.values()][0] ?? '')
  expect(await callback(callbackOf(asked))).toBe(expired)
  victim.cookies.set(name, value)
  expect(provider.requestsOf('token')).toEqual([])
  // A response from another issuer (mix-up).
  expect(await callback({ ...callbackOf(asked), iss: 'https://evil.example' })).toBe(
    '/?signIn=failed',
  )
  expect(provider.requestsOf('token')).toEqual([])
  expect(await callback(callbackOf(asked))).toBe(expired)
  expect(await victim.session()).toBeUndefined()
})

test('an ID token with another nonce, user or audience than asked for signs no one in', async () => {
  for (const claims of [{ nonce: 'other' }, { aud: 'other-app' }, { exp: 1 }]) {
    const browser = openBrowser()
    const response = await answer(browser, await begin(browser), { claims })
    expect(response.headers.get('location')).toBe('/?signIn=failed')
    expect(await browser.session()).toBeUndefined()
  }
  const browser = await signedIn()
  const asked = await begin(browser, '/login?acr=two-factor')
  const claims = { sub: 'user-2', acr: 'two-factor' }
  expect((await answer(browser, asked, { claims })).headers.get('location')).toBe('/?signIn=failed')
  expect((await browser.session())?.claims.sub).toBe('user-1')
})

test('a step up asks for what is missing, and is passed only by a token that has it', async () => {
  const browser = await signedIn({ claims: { auth_time: 1_000_000_000 } })
  const required = { acr: 'two-factor', maxAgeS: 300 } as const
  const session = await browser.session()
  expect(session && signIn.meets(session, required)).toBe(false)
  const path = signIn.loginPath({ ...required, returnTo: '/pay' })
  const asked = await begin(browser, path)
  expect(Object.fromEntries(asked)).toMatchObject({ acr_values: 'two-factor', max_age: '300' })
  expect(asked.get('id_token_hint')).toMatch(/^ey/)
  expect((await answer(browser, asked)).headers.get('location')).toBe('/?signIn=failed')
  const again = await begin(browser, path)
  const claims = { acr: 'two-factor' }
  expect((await answer(browser, again, { claims })).headers.get('location')).toBe('/pay')
  const after = await browser.session()
  expect(after && signIn.meets(after, required)).toBe(true)
  // Nothing is left to complete.
  expect((await browser.send(path)).headers.get('location')).toBe('/pay')
})

test('a login changes the session ID, so that a planted cookie is worthless', async () => {
  const browser = openBrowser()
  browser.cookies.set('lender-app-session', 'planted')
  await answer(browser, await begin(browser))
  const value = browser.cookies.get('lender-app-session')
  expect(value).not.toBe('planted')
  await answer(browser, await begin(browser, '/login?acr=two-factor'), {
    claims: { acr: 'two-factor' },
  })
  expect(await signIn.session({ cookie: `lender-app-session=${value}` })).toBeUndefined()
  expect(await browser.session()).toBeDefined()
})

test('twenty concurrent requests refresh once, even in two processes', async () => {
  const browser = await signedIn({ expiresIn: 1 })
  answerRefreshes({ delayMs: 50 })
  const headers = { cookie: `lender-app-session=${browser.cookies.get('lender-app-session')}` }
  const before = provider.requestsOf('token').length
  const other = open()
  const sessions = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? signIn : other).session(headers)),
  )
  expect(sessions.map((session) => session?.accessToken)).toEqual(Array(20).fill('access-2'))
  expect(provider.requestsOf('token').length - before).toBe(1)
})

test('a session that has ended at Portico ends here; if Portico does not respond, it stays', async () => {
  const browser = await signedIn({ expiresIn: 1 })
  provider.answers.delete('/oidc/token')
  await expect(browser.session()).rejects.toMatchObject({ code: 'unavailable' })
  answerRefreshes()
  expect((await browser.session())?.accessToken).toBe('access-2')

  const ended = await signedIn({ expiresIn: 1 })
  provider.answers.set('/oidc/token', () => ({ error: 'invalid_grant' }))
  expect(await ended.session()).toBeUndefined()
  answerRefreshes()
  expect(await ended.session()).toBeUndefined()
})

test('a refresh that brings the token of another user or session is refused', async () => {
  for (const claims of [{ sub: 'user-2' }, { sid: 'session-2' }]) {
    const browser = await signedIn({ expiresIn: 1 })
    answerRefreshes({ claims })
    await expect(browser.session()).rejects.toMatchObject({ code: 'invalid-token' })
  }
})

test('a logout token ends the sessions of its sid, even while one is being refreshed', async () => {
  const [browser, other] = [
    await signedIn({ expiresIn: 1 }),
    await signedIn({ claims: { sid: 's2' } }),
  ]
  answerRefreshes({ delayMs: 50 })
  const refreshing = browser.session()
  const post = (token: string) =>
    signIn.handle(
      new Request(`${APP}/back-channel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      }),
    )
  const token = await provider.logoutToken()
  expect((await post(token))?.status).toBe(200)
  await refreshing
  expect(await browser.session()).toBeUndefined()
  expect(await other.session()).toBeDefined()
  for (const invalid of [token, '', 'x'.repeat(20_000)]) {
    expect((await post(invalid))?.status).toBe(400)
  }
})

test('a logout must come from a page of this application, and ends the session here or also at Portico', async () => {
  const browser = await signedIn()
  const post = (path: string, headers: Record<string, string>) =>
    browser.send(path, { method: 'POST', headers })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3001' },
    { 'sec-fetch-site': 'same-site' },
    {},
  ]) {
    expect((await post('/logout', headers)).status).toBe(403)
  }
  expect((await browser.send('/logout')).status).toBe(405)
  expect(await browser.session()).toBeDefined()
  const left = new URL((await post('/logout', { origin: APP })).headers.get('location') ?? '')
  expect(left.href).toContain(`${provider.issuer}/logout?`)
  expect(left.searchParams.get('post_logout_redirect_uri')).toBe(`${APP}/`)
  expect(left.searchParams.get('id_token_hint')).toMatch(/^ey/)
  expect(browser.cookies.size).toBe(0)

  const here = await signedIn()
  provider.answers.set('/oidc/revoke', () => ({}))
  const copied = { cookie: `lender-app-session=${here.cookies.get('lender-app-session')}` }
  const response = await here.send('/logout?only=here', {
    method: 'POST',
    headers: { origin: APP },
  })
  expect(response.headers.get('location')).toBe('/')
  expect(provider.requestsOf('revoke')[0]?.form.get('token')).toBe('refresh-1')
  expect(await signIn.session(copied)).toBeUndefined()
})

test('a login that the user cancels, or that Portico cannot serve, leads to the page that says so', async () => {
  const browser = openBrowser()
  const asked = await begin(browser)
  const { state, iss } = callbackOf(asked)
  const query = new URLSearchParams({ error: 'access_denied', state, iss })
  const canceled = await browser.send(`/callback?${query}`)
  expect(canceled.headers.get('location')).toBe('/?signIn=canceled')
  provider.answers.delete('/oidc/.well-known/openid-configuration')
  const response = await openBrowser(open()).send('/login')
  expect(response.headers.get('location')).toBe('/?signIn=unavailable')
})

test('the store contains neither tokens nor the cookie’s secret', async () => {
  const stored: unknown[] = []
  const { insert } = store
  store.insert = (session) => {
    stored.push(session)
    return insert(session)
  }
  const browser = await signedIn()
  const text = JSON.stringify(stored)
  expect(text).toContain('session-1')
  expect(text).not.toMatch(/access-1|refresh-1|user-1/)
  expect(text).not.toContain(browser.cookies.get('lender-app-session'))
})

test('a session ends after twelve hours', async () => {
  const browser = await signedIn()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 12 * 60 * 60 * 1000 })
  answerRefreshes()
  expect(await browser.session()).toBeUndefined()
})

test('invalid options are refused', () => {
  expect(() => open({ cookieSecret: 'short' })).toThrow(/at least 32 characters/)
  expect(() => open({ cookieSecret: [SECRET, 'short'] })).toThrow(/at least 32 characters/)
  expect(() => open({ appUrl: 'http://app.lender.example' })).toThrow(/begin with https/)
})
