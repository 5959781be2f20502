import { BROKER_PATH } from '@portico/contracts/broker'
import { PAGE_DATA_ELEMENT, PageData } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson } from '../support/world.ts'

const HTML = { accept: 'text/html,application/xhtml+xml' }

/** The page data as the page's script reads it. */
function pageData(html: string): PageData {
  const element = new RegExp(`<script[^>]*id="${PAGE_DATA_ELEMENT}"[^>]*>([^<]*)</script>`)
  return PageData.parse(JSON.parse(element.exec(html)?.[1] ?? ''))
}

test('2.1 the root leads to the login page', async () => {
  await using world = await aWorld()
  const response = await world.browser().fetch('/')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/login'])
})

test('2.1 a redirect of the application becomes an HTTP redirect', async () => {
  await using world = await aWorld()
  const response = await world.browser().fetch('/auth/unknown')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/auth/login'])
})

test('2.8 if no application can render it, the error screen is a plain page with support phone and email', async () => {
  await using world = await aWorld()
  const path = '/identity/secure/api/v1/identity'
  const response = await world.browser().fetch(path, { headers: HTML })
  const html = await response.text()
  expect(response.status).toBe(401)
  expect(html).toContain('<h1>Sorry, looks like we have hit a snag!</h1>')
  expect(html).toContain('<a href="">Try again</a>')
  expect(html).toContain('<a href="tel:+18005550142">(800) 555-0142</a>')
  expect(html).toContain('<a href="mailto:help@figure.example">help@figure.example</a>')
  expect(html).toMatch(/Reference for support: <code>[^<]+ req-\w+<\/code>/)
})

test('2.3 a form submitted without scripts shows the page again, without its values', async () => {
  await using world = await aWorld()
  const response = await world.browser().fetch('/auth/login?flow=new-user', {
    method: 'POST',
    body: new URLSearchParams({ email: 'a@people.example', password: 'secret' }),
  })
  expect([response.status, response.headers.get('location')]).toEqual([
    303,
    '/auth/login?flow=new-user',
  ])
})

test('9 a request target that names another host leads nowhere else', async () => {
  await using world = await aWorld().withSettings({ LENDER_APP_URL: 'https://lender.example/app' })
  const ask = (target: string, method = 'GET') =>
    rawRequest(
      world.url,
      `${method} ${target} HTTP/1.1\r\nHost: ${new URL(world.url).host}\r\nConnection: close\r\n${
        method === 'POST' ? 'Content-Length: 0\r\n' : ''
      }\r\n`,
    )
  const locationOf = (answer: string) => /^location: (.*)$/im.exec(answer)?.[1]
  expect(locationOf(await ask('http://evil.example/account/heloc'))).toBe(
    'https://lender.example/account/heloc',
  )
  expect(locationOf(await ask('http://evil.example/auth/login', 'POST'))).toBe('/auth/login')
  expect(locationOf(await ask('http://evil.example/dashboard'))).toBe(
    '/auth/login?redirectUrl=%2Fdashboard',
  )
  expect(await ask('//evil.example/dashboard')).toMatch(/^HTTP\/1\.1 404 /)
})

test('9 an invalid host name and a path of slashes break no page', async () => {
  await using world = await aWorld()
  for (const [path, host, status] of [
    ['/auth/login', '%', 200],
    ['/auth/login', '[', 200],
    ['/auth/login', 'a b', 200],
    ['//', 'x', 404],
    ['//evil.example/%2e%2e', 'x', 404],
  ] as const) {
    const answer = await rawRequest(
      world.url,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    )
    expect(answer, `${path} ${host}`).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  }
})

test('1 a page carries its organization, flags, query and session', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const anonymous = pageData(
    await (await browser.fetch('/auth/login?flow=new-user&redirectUrl=%2Fdashboard')).text(),
  )
  expect(anonymous).toMatchObject({
    path: '/auth/login',
    query: 'flow=new-user&redirectUrl=%2Fdashboard',
    session: null,
    label: null,
    supportPhone: '8005550142',
    demonstration: true,
  })
  expect(anonymous.organization).toMatchObject({ orgCode: 'FIGURE', baseUrl: world.origin })
  expect(anonymous.flags).toMatchObject({ FIGURE: true, CEDAR_POINT: false })

  await browser.signIn(owner)
  const page = pageData(await (await browser.fetch('/dashboard')).text())
  expect(page.session).toMatchObject({ email: owner.email, method: 'password' })
})

test('9 page data cannot end its element, whatever the address holds', async () => {
  await using world = await aWorld()
  const attack = '</script><script>alert(1)</script><!--'
  for (const query of [attack, encodeURIComponent(`${attack}\u2028`)]) {
    // A browser would escape the URL; a program sends it unescaped.
    const html = await rawRequest(
      world.url,
      `GET /auth/login?email=${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(html).toMatch(/^HTTP\/1\.1 200 /)
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<!--')
    expect(decodeURIComponent(pageData(html).query)).toContain(attack)
  }
})

test('6 the organization comes from the URL, is kept for the next page, and is FIGURE if unknown', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const organizationOf = async (path: string) =>
    pageData(await (await browser.fetch(path)).text()).organization.orgCode
  expect(await organizationOf('/auth/login')).toBe('FIGURE')
  expect(await organizationOf('/auth/login?orgCode=cedar_point')).toBe('CEDAR_POINT')
  expect(await organizationOf('/auth/register')).toBe('CEDAR_POINT')
  expect(await organizationOf('/auth/login?orgCode=HARBORLINE&orgCode=FIGURE')).toBe('CEDAR_POINT')
  expect(await organizationOf('/auth/login?orgCode=FIGURE')).toBe('FIGURE')
  for (const unknown of ['NOBODY', '__proto__', 'constructor', '%00', '']) {
    const stranger = world.browser()
    const html = await (await stranger.fetch(`/auth/login?orgCode=${unknown}`)).text()
    expect(pageData(html).organization.orgCode, unknown).toBe('FIGURE')
  }
  browser.cookies.set('portico-organization', 'NOBODY')
  expect(await organizationOf('/auth/login')).toBe('FIGURE')
})

test('2.2 a signed-out visitor to the dashboard is sent to the login page and back', async () => {
  await using world = await aWorld()
  const response = await world.browser().fetch('/dashboard/security?tab=1&x=//evil.example')
  expect(response.headers.get('location')).toBe(
    '/auth/login?redirectUrl=%2Fdashboard%2Fsecurity%3Ftab%3D1%26x%3D%2F%2Fevil.example',
  )
})

test('4.10 the passport is a page of signed-in users', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const visit = await browser.fetch('/universal-passport')
  expect(visit.headers.get('location')).toBe('/auth/login?redirectUrl=%2Funiversal-passport')
  await browser.signIn(owner)
  expect((await browser.fetch('/universal-passport')).status).toBe(200)
})

test('2.8 an unknown path is a page for people and the error shape for programs', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const page = await browser.fetch('/nowhere', { headers: HTML })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<main>portal</main>')
  const answer = await browser.fetch('/nowhere')
  expect([answer.status, await answer.json()]).toEqual([
    404,
    {
      code: 'not-found',
      message: 'There is nothing at this address.',
      errors: ['There is nothing at this address.'],
    },
  ])
  const posted = await browser.fetch('/nowhere', { method: 'POST', headers: HTML })
  expect(posted.headers.get('content-type')).toContain('application/json')
})

test('9 every kind of response has the security headers', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const requests: [string, RequestInit][] = [
    ['/', {}],
    ['/auth/login', { headers: HTML }],
    ['/auth/login', { method: 'HEAD' }],
    ['/auth/login', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
    ['/dashboard', { headers: HTML }],
    ['/account/heloc', { headers: HTML }],
    ['/nowhere', {}],
    ['/nowhere', { headers: HTML }],
    ['/auth/%E0%A4%A', {}],
    ['/brand/figure.svg', {}],
    ['/healthz', {}],
    ['/metrics', {}],
    ['/docs', {}],
    ['/docs/plain', {}],
    ['/openapi.json', {}],
    ['/dev/mailbox', {}],
    ['/identity/secure/api/v1/identity', {}],
    ['/identity/secure/api/v1/identity', { headers: { authorization: browser.jwt.read() ?? '' } }],
    ['/identity/api/v1/logout', { method: 'POST' }],
    ['/identity/api/v2/login', { method: 'POST' }],
  ]
  for (const [path, init] of requests) {
    const { headers } = await browser.fetch(path, init)
    const what = `${init.method ?? 'GET'} ${path}`
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy, what).toContain("default-src 'none'")
    expect(policy, what).toContain("frame-ancestors 'none'")
    expect(policy, what).toContain("base-uri 'none'")
    expect(policy, what).not.toContain('unsafe-eval')
    expect(headers.get('x-content-type-options'), what).toBe('nosniff')
    expect(headers.get('x-frame-options'), what).toBe('DENY')
    expect(headers.get('referrer-policy'), what).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy'), what).toBe('same-origin')
    expect(headers.get('permissions-policy'), what).toContain('camera=()')
    expect(headers.get('permissions-policy'), what).toContain('publickey-credentials-get=(self)')
  }
})

test('9 a page’s scripts and styles need its nonce, and no page is cached', async () => {
  await using world = await aWorld()
  const nonces = new Set<string>()
  for (let each = 0; each < 2; each += 1) {
    const response = await world.browser().fetch('/auth/login')
    const policy = response.headers.get('content-security-policy') ?? ''
    const [, nonce = ''] = /script-src 'nonce-([\w-]{22})' 'strict-dynamic'/.exec(policy) ?? []
    expect(policy).not.toContain('unsafe-inline')
    expect(policy).toContain("require-trusted-types-for 'script'")
    const html = await response.text()
    for (const [tag] of html.matchAll(/<(?:script|style)\b[^>]*>/g)) {
      expect(tag).toContain(`nonce="${nonce}"`)
    }
    expect(response.headers.get('cache-control')).toBe('no-store')
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(2)
})

test('9 cookies are HttpOnly, SameSite and, over https, bound to the host', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const response = await world.browser().fetch('/auth/login')
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^portico-tracker=[\w-]{36}; Path=\/; HttpOnly; SameSite=Lax; Max-Age/),
    'portico-organization=FIGURE; Path=/; HttpOnly; SameSite=Lax',
  ])

  await using secure = await aWorld().withSettings({ PUBLIC_URL: 'https://login.lender.example' })
  const page = await secure.browser().fetch('/auth/login')
  expect(page.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-portico-tracker=[\w-]{36}; Path=.*; Secure; Max-Age=\d+$/),
    '__Host-portico-organization=FIGURE; Path=/; HttpOnly; SameSite=Lax; Secure',
  ])
  expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000')
  await secure.browser().register(newPerson('secure'))
})

test('2.3 in the demonstration every linked page of the lender exists, branded, with a next step', async () => {
  await using world = await aWorld()
  const browser = world.browser()
  const register = await (
    await browser.fetch('/account/heloc/register?orgCode=CEDAR_POINT&referrer=cedar-point')
  ).text()
  expect(register).toContain('<h1>Apply with Cedar Point Lending</h1>')
  expect(register).toContain('src="/brand/cedar-point.svg"')
  expect(register).toContain(
    '<a href="/auth/register?orgCode=CEDAR_POINT&#38;referrer=cedar-point">Create your login</a>',
  )
  for (const [path, heading] of [
    ['/account/heloc/heloc-signer/login', 'Sign your mortgage documents'],
    ['/account/heloc', 'Your application'],
    ['/portfolio/leads', 'Welcome to Cedar Point Lending'],
    ['/legal/cedar-point/terms', 'Terms of use'],
    ['/legal/cedar-point/privacy', 'Privacy'],
    ['/legal/cedar-point/licenses', 'Licenses'],
    ['/legal/cedar-point/electronic-communications', 'Electronic communications'],
  ] as const) {
    const html = await (await browser.fetch(path)).text()
    expect(html, path).toContain(`<h1>${heading}</h1>`)
    expect(html, path).toContain('This page is part of the demonstration.')
    expect(html, path).toContain('href="/auth/')
  }
  const stranger = await world.browser().fetch('/legal/cedar-point/terms')
  expect(await stranger.text()).toContain('Cedar Point Lending Cooperative')
})

test('3 pages outside the product redirect to the lender’s application if configured', async () => {
  await using lent = await aWorld().withSettings({ LENDER_APP_URL: 'https://lender.example' })
  const response = await lent.browser().fetch('/account/heloc/register?referrer=x')
  expect(response.headers.get('location')).toBe(
    'https://lender.example/account/heloc/register?referrer=x',
  )
})

test('9 brand files are served compressed, with a tag, and only those that exist', async () => {
  await using world = await aWorld()
  const get = (path: string, headers: Record<string, string> = {}) =>
    world.browser().fetch(path, { headers })
  const first = await get('/brand/figure.svg', { 'accept-encoding': 'br, gzip' })
  expect(first.headers.get('content-encoding')).toBe('br')
  expect(await first.text()).toContain('<svg')
  const etag = first.headers.get('etag') ?? ''
  expect((await get('/brand/figure.svg', { 'if-none-match': etag })).status).toBe(304)
  for (const path of ['/brand/', '/brand/nothing.svg', '/brand/..%2forganizations/figure.json']) {
    expect((await get(path)).status, path).toBe(404)
  }
})

test('2.1 a URL that cannot be decoded is an unknown page for a browser and an error for a program', async () => {
  await using world = await aWorld()
  const at = (accept: string) =>
    rawRequest(
      world.url,
      `GET /auth/%zz?a=%zz HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
    )
  const page = await at('text/html')
  expect(page).toMatch(/^HTTP\/1\.1 200 /)
  // The application leads from unknown pages to the login page.
  expect(pageData(page)).toMatchObject({ path: '/auth/%25zz', query: 'a=%zz' })
  expect(await at('application/json')).toMatch(/^HTTP\/1\.1 400 /)
})

test('2.1 a long part of a URL leads a signed-in user to the same page as any other unknown one', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const long = 'a'.repeat(2000)
  for (const path of [
    `/console/people/${long}`,
    `/console/people?q=${long}`,
    `/console/${long}`,
    `/console/preview/${long}`,
    `/console/preview/auth/${long}`,
    `/console/preview/${long}/login`,
  ]) {
    const { status, headers } = await browser.fetch(path, { headers: HTML })
    expect([status, headers.get('location')], path.slice(0, 30)).not.toContain('/auth/login')
  }
  for (const path of [`/${long}`, `/brand/${long}`, `${BROKER_PATH}/customer/metadata/${long}`]) {
    expect((await browser.fetch(path, { headers: HTML })).status, path.slice(0, 30)).toBe(404)
  }
})

test('2.1 a URL that cannot be decoded leads a signed-in user to no other page', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const open = (path: string) => browser.fetch(path, { headers: HTML })
  const anonymous = await open('/console/people/%E0%A4%A?q=%zz')
  expect([anonymous.status, anonymous.headers.get('location')]).toEqual([
    302,
    `/auth/login?redirectUrl=${encodeURIComponent('/console/people/%25E0%25A4%25A?q=%zz')}`,
  ])
  await browser.signIn(owner)
  // The console and the portal say themselves that they have no such page.
  const console = await open('/console/people/%E0%A4%A')
  expect(await console.text()).toContain('<title>Operator console</title>')
  const portal = await open('/dashboard/%E0%A4%A')
  expect(pageData(await portal.text()).path).toBe('/dashboard/%25E0%25A4%25A')
  for (const path of ['/nowhere/%zz', '/figure-wallet/%', '/docs/%c0']) {
    expect((await open(path)).status, path).toBe(404)
  }
  expect((await open('/brand/%zz')).status).toBe(404)
})

test('9 pages are compressed for visitors, but not for a user, whose email address would stand beside the URL', async () => {
  const owner = newPerson('compressed')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const encodingOf = async (path: string, encodings: string) => {
    const { headers } = await browser.fetch(path, {
      headers: { ...HTML, 'accept-encoding': encodings },
      redirect: 'manual',
    })
    return [headers.get('content-encoding'), headers.get('vary')]
  }
  expect(await encodingOf('/auth/login', 'gzip, br')).toEqual(['br', 'accept-encoding'])
  expect(await encodingOf('/auth/register?x=1', 'gzip')).toEqual(['gzip', 'accept-encoding'])
  expect(await encodingOf('/auth/login', 'identity')).toEqual([null, 'accept-encoding'])
  await browser.signIn(owner)
  for (const path of ['/dashboard', '/dashboard/security', '/nowhere', '/figure-wallet']) {
    expect(await encodingOf(path, 'gzip, br'), path).toEqual([null, null])
  }
})

test('14 login and registration open from memory while the database is unavailable', async () => {
  const owner = newPerson('remembered')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const path = '/auth/login?orgCode=NORTHGALE'
  const before = pageData(await (await world.browser().fetch(path)).text())
  expect(before.providers).not.toEqual([])
  const { providers, sessions } = world.server.stores
  const unavailable = () => new Promise<never>(() => undefined)
  providers.listEnabledOf = unavailable
  providers.managesAccounts = unavailable
  sessions.findOpen = unavailable
  const after = pageData(await (await world.browser().fetch(path)).text())
  expect(after.providers).toEqual(before.providers)
  expect((await browser.fetch('/auth/register')).status).toBe(200)
})
