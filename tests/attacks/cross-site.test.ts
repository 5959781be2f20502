import { Bytes } from '@portico/contracts/call'
import { login, readIdentity, register, sendToken } from '@portico/contracts/identity'
import { CALLS } from '@portico/server/openapi'
import { expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld, newPerson, refusal } from '../support/world.ts'
import { plainClient } from './support/plain-client.ts'

const SESSION = 'portico-session'
const PUBLIC_URL = 'https://login.lender.example'
const JSON_TYPE = { 'content-type': 'application/json' }
const BYTES_TYPE = { 'content-type': 'application/octet-stream' }

/** All routes, including future ones, except those meant for other origins. */
const CHANGING = CALLS.filter(({ method, origins }) => method !== 'GET' && origins === undefined)

/** The fetch metadata of a cross-site request. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a form of another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'an older browser': { origin: 'https://evil.example' },
  'a sandboxed frame': { origin: 'null' },
  'a sub-domain': { origin: 'https://evil.login.lender.example', 'sec-fetch-site': 'same-site' },
  'the domain above': { origin: 'https://lender.example', 'sec-fetch-site': 'same-site' },
  'a name that begins alike': { origin: `${PUBLIC_URL}.evil.example` },
  'a name that ends alike': { origin: 'https://evillogin.lender.example' },
  'another port': { origin: `${PUBLIC_URL}:8443` },
  'the origin without tls': { origin: 'http://login.lender.example' },
  'the origin with a slash': { origin: `${PUBLIC_URL}/` },
  'the origin in capitals': { origin: PUBLIC_URL.toUpperCase() },
  'two origins': { origin: `${PUBLIC_URL}, https://evil.example` },
  'no origin from another site': { 'sec-fetch-site': 'cross-site' },
  'an empty origin': { origin: '' },
  'a referrer alone': { referer: `${PUBLIC_URL}/auth/login`, cookie: 'any=cookie' },
}

/** An installation behind a proxy that terminates TLS. */
const behindTls = () => aWorld().withSettings({ PUBLIC_URL })

test('cross-site: no changing call is accepted from another origin, with or without a session', async () => {
  const owner = newPerson('owner')
  await using world = await behindTls().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  using client = plainClient(world.url)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const authorization = browser.jwt.read() ?? ''
  for (const { name, method, path, body } of CHANGING) {
    const type = body === Bytes ? BYTES_TYPE : JSON_TYPE
    for (const [what, headers] of Object.entries(FOREIGN)) {
      for (const own of [{}, { cookie, authorization }]) {
        const { status, headers: answered } = await client.send(
          method,
          path,
          {},
          { ...type, ...own, ...headers },
        )
        expect(status, `${name} from ${what}`).toBe(403)
        expect(answered['set-cookie'], `${name} from ${what}`).toBeUndefined()
      }
    }
  }
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
})

test('cross-site: another origin can neither read a response nor pass a preflight', async () => {
  await using world = await behindTls()
  using client = plainClient(world.url)
  const headers = {
    origin: 'https://evil.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type,authorization',
  }
  for (const path of ['/identity/api/v2/login', '/auth/login', '/healthz', '/openapi.json']) {
    for (const method of ['GET', 'OPTIONS', 'HEAD']) {
      const { headerNames, headers: answered } = await client.send(method, path, undefined, headers)
      expect(
        headerNames.filter((name) => name.startsWith('access-control-')),
        `${method} ${path}`,
      ).toEqual([])
      expect(answered['cross-origin-resource-policy'], `${method} ${path}`).toBe('same-origin')
    }
  }
})

test('cross-site: login CSRF, a form that signs a visitor in as the attacker, opens no session', async () => {
  const attacker = newPerson('attacker')
  await using world = await behindTls().withCustomer(attacker)
  const visitor = world.browser()
  // Content types that a cross-site form can send without preflight, with JSON hidden in them.
  const asText = JSON.stringify({ email: attacker.email, password: attacker.password, x: '=' })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ]) {
    for (const path of [login.path, '/auth/login', '/auth/register', '/']) {
      const response = await visitor.fetch(path, {
        method: 'POST',
        body: asText,
        headers: { 'content-type': type, ...FOREIGN['a form of another site'] },
      })
      expect([303, 403, 404, 415], `${type} ${path}`).toContain(response.status)
      expect(
        response.headers.getSetCookie().filter((cookie) => cookie.includes(SESSION)),
        `${type} ${path}`,
      ).toEqual([])
    }
  }
  expect((await visitor.fetch('/dashboard')).status).toBe(302)
})

test('cross-site: a link to /logout asks the user first; one of the own domain does not', async () => {
  await using world = await aWorld()
  const page = async (site: string) =>
    (await world.browser({ headers: { 'sec-fetch-site': site } }).fetch('/auth/logout')).text()
  expect(await page('cross-site')).toContain('"isFromOtherSite":true')
  for (const site of ['same-origin', 'same-site', 'none']) {
    expect(await page(site)).toContain('"isFromOtherSite":false')
  }
})

test('cross-site: no link changes anything', async () => {
  const owner = newPerson('owner')
  await using world = await behindTls().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const CHANGES = "select id from audit_events where kind not like '%-refused'"
  const before = await world.query(CHANGES)
  for (const path of [
    '/auth/login',
    '/auth/logout',
    '/auth/register?email=other%40people.example',
    '/dashboard',
    '/identity/api/v1/logout',
    ...CHANGING.map((call) => call.path),
  ]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await browser.fetch(path, { method, headers: { 'x-http-method-override': 'POST' } })
    }
  }
  // A refused call is recorded, and changes nothing else.
  expect(await world.query(CHANGES)).toHaveLength(before.length)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
})

test('cross-site: session fixation, a cookie planted before the login is worthless after it', async () => {
  const [owner, attacker] = [newPerson('owner'), newPerson('attacker')]
  await using world = await aWorld().withCustomer(owner).withCustomer(attacker)
  const evil = world.browser()
  await evil.signIn(attacker)
  const opened = evil.cookies.get(SESSION) ?? ''
  for (const planted of [
    opened,
    'chosen.by-the-attacker',
    '6d1f2c0e-8f5c-4b55-9d3b-0d6a3a3d7a10.x',
  ]) {
    const visitor = world.browser()
    visitor.cookies.set(SESSION, planted)
    await visitor.signIn(owner)
    const own = visitor.cookies.get(SESSION) ?? ''
    expect(own).not.toBe(planted)
    expect(own.split('.')[0]).not.toBe(planted.split('.')[0])

    // The planted cookie opens nothing of the visitor's, with or without their token.
    const thief = world.browser()
    thief.cookies.set(SESSION, planted)
    thief.jwt.write(visitor.jwt.read() ?? '')
    expect((await refusal(thief.call(readIdentity, {}))).status).toBe(403)
    expect(await (await thief.fetch('/dashboard')).text()).not.toContain(owner.email)
  }
  // The visitor's login has ended the attacker's session in that browser.
  expect((await refusal(evil.call(readIdentity, {}))).status).toBe(401)
})

test('cross-site: each login opens a new session and ends the previous one', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  await browser.signIn(owner)
  const [cookie = '', token = ''] = [browser.cookies.get(SESSION), browser.jwt.read()]
  await browser.signIn(owner)
  const holder = world.browser()
  holder.cookies.set(SESSION, cookie)
  holder.jwt.write(token)
  expect((await refusal(holder.call(readIdentity, {}))).status).toBe(401)
  expect((await browser.call(readIdentity, {})).passwordExpired).toBe(false)
})

test('cross-site: a duplicated cookie is ignored, in any order and notation', async () => {
  const [owner, attacker] = [newPerson('owner'), newPerson('attacker')]
  await using world = await aWorld().withCustomer(owner).withCustomer(attacker)
  const [browser, evil] = [world.browser(), world.browser()]
  await browser.signIn(owner)
  await evil.signIn(attacker)
  const [own, other] = [browser, evil].map(({ cookies }) => `${SESSION}=${cookies.get(SESSION)}`)
  using client = plainClient(world.url)
  const ask = (cookie: string) =>
    client.send('GET', readIdentity.path, undefined, {
      cookie,
      authorization: browser.jwt.read() ?? '',
    })
  expect((await ask(`${own}`)).status).toBe(200)
  for (const cookie of [
    `${own}; ${other}`,
    `${other}; ${own}`,
    `${own}; ${own}`,
    `${own};${other}`,
    `${own};  ${SESSION}=`,
    `${own}; ${SESSION}=x; a=b`,
  ]) {
    expect((await ask(cookie)).status, cookie).toBe(403)
    const page = await client.send('GET', '/dashboard', undefined, { cookie })
    expect(page.status, cookie).toBe(302)
  }
  // A cookie with a similar name is ignored.
  for (const cookie of [
    `${own}; x${SESSION}=x`,
    `$Version=1; ${own}`,
    `a="; ${own}`,
    `=; ${own};`,
  ]) {
    expect((await ask(cookie)).status, cookie).toBe(200)
  }
})

test('cross-site: over https a cookie set by a subdomain is ignored', async () => {
  const [owner, attacker] = [newPerson('owner'), newPerson('attacker')]
  await using world = await behindTls().withCustomer(owner).withCustomer(attacker)
  const [browser, evil] = [world.browser(), world.browser()]
  await browser.signIn(owner)
  await evil.signIn(attacker)

  // Ours use the `__Host-` prefix, which a cookie with a Domain cannot.
  const signedIn = await browser.fetch(login.path, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(owner),
  })
  const setCookies = signedIn.headers.getSetCookie()
  expect(new Set(setCookies.map((cookie) => cookie.split('=')[0]))).toEqual(
    new Set(['__Host-portico-device', '__Host-portico-session']),
  )
  for (const cookie of setCookies) {
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure(?:; Max-Age=\d+)?$/)
    expect(cookie).not.toMatch(/domain/i)
  }

  // A sub-domain can set these names, and only these.
  const value = evil.cookies.get(`__Host-${SESSION}`) ?? ''
  for (const name of [SESSION, `__host-${SESSION}`, `__Secure-${SESSION}`, `__HOST-${SESSION}`]) {
    const visitor = world.browser()
    visitor.cookies.set(name, value)
    expect((await visitor.fetch('/dashboard')).status, name).toBe(302)
    visitor.jwt.write(evil.jwt.read() ?? '')
    expect((await refusal(visitor.call(readIdentity, {}))).status, name).toBe(403)
  }
  // In addition to our own cookies they change nothing.
  const cookie = [...browser.cookies].map(([name, each]) => `${name}=${each}`).join('; ')
  using client = plainClient(world.url)
  const page = await client.send('GET', '/dashboard', undefined, {
    cookie: `${SESSION}=${value}; ${cookie}; ${SESSION}=${value}`,
  })
  expect([page.status, page.text.includes(owner.email)]).toEqual([200, true])
})

test('cross-site: with PUBLIC_URL set, no mail, page or redirect follows the Host header', async () => {
  const owner = newPerson('owner')
  await using world = await behindTls().withCustomer(owner)
  const strangers = newPerson('nobody').email
  const hosts = [
    'evil.example',
    'evil.example:443',
    'login.lender.example.evil.example',
    'x@evil.example',
  ]
  for (const [each, host] of hosts.entries()) {
    const post = (path: string, body: unknown) => {
      const content = JSON.stringify(body)
      return rawRequest(
        world.url,
        [
          `POST ${path} HTTP/1.1`,
          `Host: ${host}`,
          'X-Forwarded-Host: evil.example',
          'X-Host: evil.example',
          'Forwarded: host=evil.example',
          `Origin: ${PUBLIC_URL}`,
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(content)}`,
          'Connection: close',
          '',
          content,
        ].join('\r\n'),
      )
    }
    expect(await post(sendToken.path, { email: owner.email })).toContain(' 200 ')
    expect(await post(sendToken.path, { email: `${each}${strangers}` })).toContain(' 200 ')
    expect(await post(register.path, { email: strangers })).toContain(' 200 ')
    expect(await post(login.path, owner)).toContain(' 200 ')
    for (const path of ['/auth/login', '/', '/dashboard', '/nowhere', '/account/heloc', '/docs']) {
      const page = await rawRequest(
        world.url,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      )
      expect(page, `${host} ${path}`).toMatch(/^HTTP\/1\.1 (?:200|302|404) /)
      expect(page, `${host} ${path}`).not.toContain('evil.example')
    }
  }
  const mails = [
    ...(await world.mail(owner.email)),
    ...(await Promise.all(hosts.map((_, each) => world.mail(`${each}${strangers}`)))).flat(),
  ]
  expect(mails.length).toBeGreaterThan(hosts.length)
  for (const { subject, text, html, from } of mails) {
    expect([subject, text, html, from].join('\n'), subject).not.toContain('evil.example')
  }
  expect(mails.some(({ text }) => text.includes(`${PUBLIC_URL}/auth/register`))).toBe(true)
})
