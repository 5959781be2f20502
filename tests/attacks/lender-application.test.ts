/** Attacks on the lender's application behind Portico, by clients and by a hostile application. */
import type { Socket } from 'node:net'
import { readIdentity } from '@portico/contracts/identity'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applicationServer, type Received } from '../support/application-server.ts'
import type { Browser } from '../support/browser.ts'
import { lenderApplication } from '../support/lender-application.ts'
import { PEOPLE } from '../support/people.ts'
import { rawRequest } from '../support/raw-request.ts'
import { aWorld } from '../support/world.ts'

let application: Awaited<ReturnType<typeof applicationServer>>
let world: Awaited<ReturnType<typeof aWorld>>
let browser: Browser
beforeAll(async () => {
  application = await applicationServer()
  world = await aWorld().withSettings({
    LENDER_APP_URL: application.url,
    LENDER_APP_MODE: 'proxy',
  })
  browser = world.browser()
  await browser.signIn(PEOPLE.plain)
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await application[Symbol.asyncDispose]()
})
beforeEach(() => {
  application.respondWith()
  application.received.length = 0
})

const cookiesOf = ({ cookies }: Browser) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Sends raw lines with the user's cookies, then closes the connection. */
const raw = (requestLine: string, headers: readonly string[] = [], body = '') =>
  rawRequest(
    world.url,
    [
      requestLine,
      `host: ${new URL(world.url).host}`,
      'connection: close',
      `cookie: ${cookiesOf(browser)}`,
      ...headers,
      '',
      body,
    ].join('\r\n'),
  )

const headersOf = () => application.received[0]?.request.headers ?? {}
const subjectOf = (token: unknown) =>
  (
    JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as {
      email: string
    }
  ).email

test.each([
  'Portico-Identity: forged',
  'PORTICO_IDENTITY: forged',
  'portico.identity: forged',
  'Portico-Identity-2: forged',
  'X-Forwarded-For: 203.0.113.9',
  'X_Forwarded_Host: evil.example',
  'Forwarded: for=203.0.113.9;host=evil.example',
  'X-Real-IP: 203.0.113.9',
  'True-Client-IP: 203.0.113.9',
  'CF-Connecting-IP: 203.0.113.9',
  'X-Client-IP: 203.0.113.9',
  'X-Cluster-Client-IP: 203.0.113.9',
  'Fastly-Client-IP: 203.0.113.9',
  'X-Remote-Addr: 203.0.113.9',
  'X-Envoy-External-Address: 203.0.113.9',
  'X-Azure-SocketIP: 203.0.113.9',
  'Via: 1.1 forged',
  'X-Host: evil.example',
  'X-HTTP-Host-Override: evil.example',
  'X-Forward-For: 203.0.113.9',
  'X-Forwarded: for=203.0.113.9',
  'X-HTTP-Method-Override: DELETE',
  'X_HTTP_Method: DELETE',
  'X-Method-Override: DELETE',
  'X-URL: /admin',
  'X-Script-Name: /admin',
  'X-Url-Scheme: forged',
  'X-Forwarded-Client-Cert: forged',
  'X-SSL-Client-S-DN: CN=forged',
  'X-Remote-User: forged',
  'X-Auth-Request-Email: forged@people.example',
  'X-Amzn-Oidc-Identity: forged',
  'X-Middleware-Subrequest: forged',
  'X-Original-URL: /admin',
  'X-Sucuri-ClientIP: 203.0.113.9',
  'X-ClientIP: 203.0.113.9',
  'X-RemoteIP: 203.0.113.9',
  'X-RealIP: 203.0.113.9',
  'X-ForwardedFor: 203.0.113.9',
  'X-ForwardedHost: evil.example',
  'X-OriginalHost: evil.example',
  'X-VirtualHost: evil.example',
  'X-Vhost: evil.example',
  'X-HTTP-MethodOverride: DELETE',
  'X-Http-Verb: DELETE',
  'X-Userinfo: forged',
  'X-Email: forged@people.example',
  'X-Consumer-ID: forged',
  'OIDC_CLAIM_email: forged@people.example',
  'Shib-Session-ID: forged',
  'Eppn: forged',
  'X-JWT-Assertion: forged',
  'X-Pomerium-Claim-Email: forged@people.example',
  'X-Rewrite-URL: /admin',
  'Authorization: Bearer of-a-session',
  'X-Figure-Auth: Bearer of-a-session',
  'Proxy-Authorization: Basic forged',
  'Referer: https://portico.example/auth/reset?secret=forged',
])('a header with a claim does not reach the application: %s', async (header) => {
  await raw('GET /account HTTP/1.1', [header])
  const received = headersOf()
  const value = header.slice(header.indexOf(':') + 2)
  expect(JSON.stringify(received)).not.toContain(value)
  expect(subjectOf(received['portico-identity'])).toBe(PEOPLE.plain.email)
})

test('headers that browsers and scripts of an application send reach it', async () => {
  const own = {
    'hx-current-url': 'https://portico.example/account',
    'if-none-match': '"1"',
    'next-url': '/account',
    'sec-fetch-user': '?1',
    'user-agent': 'own',
    'x-csrf-token': '1',
    'x-requested-with': 'XMLHttpRequest',
  }
  await raw(
    'GET /account HTTP/1.1',
    Object.entries(own).map(([name, value]) => `${name}: ${value}`),
  )
  expect(headersOf()).toMatchObject(own)
})

test('a Connection header removes headers of the client, but none that this server adds', async () => {
  await rawRequest(
    world.url,
    `GET /account HTTP/1.1\r\nhost: ${new URL(world.url).host}\r\ncookie: ${cookiesOf(browser)}\r\nconnection: close, portico-identity, x-forwarded-for, x-secret\r\nx-secret: forged\r\n\r\n`,
  )
  expect(headersOf()).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
  expect(headersOf()).toHaveProperty('portico-identity')
  expect(headersOf()).not.toHaveProperty('x-secret')
})

test('our cookies, in any spelling, do not reach the application', async () => {
  await raw('GET /account HTTP/1.1', ['cookie: __Host-portico-session=x; cart=7; portico-device=y'])
  expect(headersOf().cookie).toBe('cart=7')
})

test.each([
  '/account/../admin',
  '/account/%2e%2e/admin',
  '/account/.%2E/admin',
  '/account/%2e%2e%2fadmin',
  '/account/..%2fadmin',
  '/account/..\\admin',
  '/account/..%5cadmin',
  '/account/%252e%252e/admin',
  '/account/..;/admin',
  '/account/..;a=b/admin',
  '/account/x%00y',
  '/account/./admin',
  '/account/..',
  `/account/${'x'.repeat(5000)}`,
])('a path that leads outside the application is refused: %s', async (path) => {
  expect(await raw(`GET ${path} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 (?:302|400|404) /)
  expect(application.received).toEqual([])
})

test.each([
  ['http://evil.example/account/x', '/account/x'],
  ['http://evil.example:80@127.0.0.1/account', '/account'],
  ['/account//evil.example/x', '/account//evil.example/x'],
  ['/account/@evil.example', '/account/@evil.example'],
  ['/account/x?u=http://evil.example', '/account/x?u=http://evil.example'],
])('a request target that names another host reaches the application: %s', async (target, path) => {
  expect(await raw(`GET ${target} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 200 /)
  expect(application.received.map(({ request }) => request.url)).toEqual([path])
  expect(headersOf().host).toBe(new URL(application.url).host)
})

test.each(['//evil.example/account', '/admin', '/metrics/../account', '/dashboard', '/healthz'])(
  'only the application’s paths are proxied: %s',
  async (path) => {
    await raw(`GET ${path} HTTP/1.1`)
    expect(application.received).toEqual([])
  },
)

const SMUGGLED = 'GET /account/smuggled HTTP/1.1\r\nhost: application\r\n\r\n'

test.each<[string, readonly string[], string]>([
  ['POST', ['content-length: 4', 'transfer-encoding: chunked'], `0\r\n\r\n${SMUGGLED}`],
  ['POST', ['transfer-encoding: chunked', 'transfer-encoding: identity'], `0\r\n\r\n${SMUGGLED}`],
  ['POST', ['transfer-encoding : chunked'], `0\r\n\r\n${SMUGGLED}`],
  ['POST', ['transfer-encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`],
  ['POST', [`content-length: ${SMUGGLED.length}`, 'content-length: 0'], SMUGGLED],
  ['POST', [`content-length: +${SMUGGLED.length}`], SMUGGLED],
  ['GET', [`content-length: ${SMUGGLED.length}`], SMUGGLED],
  [
    'GET',
    ['transfer-encoding: chunked'],
    `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  ],
  ['OPTIONS', [`content-length: ${SMUGGLED.length}`], SMUGGLED],
  ['DELETE', [`content-length: ${SMUGGLED.length}`], SMUGGLED],
  [
    'DELETE',
    ['transfer-encoding: chunked'],
    `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  ],
  [
    'POST',
    ['transfer-encoding: chunked'],
    `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
  ],
  ['POST', [`connection: content-length`, `content-length: ${SMUGGLED.length}`], SMUGGLED],
])('no second request is smuggled in the body: %s %j', async (method, headers, body) => {
  await raw(`${method} /account/outer HTTP/1.1`, headers, body)
  // What follows on another connection shows whether the application still expected a body.
  await raw('GET /account/next HTTP/1.1')
  const paths = application.received.map(({ request }) => request.url)
  expect(paths.filter((path) => path !== '/account/outer')).toEqual(['/account/next'])
})

test('each of many concurrent users is identified correctly to the application', async () => {
  const people = [PEOPLE.plain, PEOPLE.individual, PEOPLE.several, PEOPLE.broker]
  const browsers = await Promise.all(
    people.map(async (who) => {
      const own = world.browser()
      await own.signIn(who)
      return own
    }),
  )
  const requests = browsers.flatMap((own, index) =>
    Array.from({ length: 25 }, async () => {
      const { headers } = (await (await own.fetch('/account')).json()) as Received
      expect(subjectOf(headers['portico-identity'])).toBe(people[index]?.email)
    }),
  )
  await Promise.all(requests)
})

test.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: undefined, 'sec-fetch-site': 'cross-site' },
  { origin: undefined, 'sec-fetch-site': 'same-site' },
  { origin: undefined },
])('a form from another site is not identified as the user: %j', async ({ origin, ...others }) => {
  const lines = Object.entries({ ...(origin !== undefined && { origin }), ...others })
  await raw('POST /account/pay HTTP/1.1', [
    ...lines.map(([name, value]) => `${name}: ${value}`),
    'content-length: 0',
  ])
  expect(headersOf()).not.toHaveProperty('portico-identity')
  expect(headersOf().cookie).toBeUndefined()
})

test('control: a form from our own site is identified as the user', async () => {
  await browser.fetch('/account/pay', { method: 'POST' })
  expect(headersOf()).toHaveProperty('portico-identity')
})

test('the token is useless elsewhere: as a session token, an access token or a hint', async () => {
  await browser.fetch('/account')
  const token = String(headersOf()['portico-identity'])
  const response = await fetch(`${world.url}${readIdentity.path}`, {
    headers: { authorization: `Bearer ${token}`, cookie: cookiesOf(browser) },
  })
  expect(response.status).toBe(401)
  const userInfo = await fetch(`${world.url}/oidc/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(userInfo.status).toBe(401)
  const client = await lenderApplication(world)
  for (const params of [
    { id_token_hint: token },
    { id_token_hint: token, client_id: 'lender-app' },
  ]) {
    const logout = await browser.fetch(client.logoutUrl(params))
    expect(logout.status).toBe(400)
  }
  const { url } = await client.begin({ id_token_hint: token, prompt: 'none' })
  const location = (await browser.fetch(url)).headers.get('location') ?? ''
  expect(new URL(location).searchParams.get('code')).toBeNull()
})

test('a user who must set a new password is not identified', async () => {
  const expired = world.browser()
  await expired.signIn(PEOPLE.expired)
  await expired.fetch('/account')
  expect(headersOf()).not.toHaveProperty('portico-identity')
})

test('a hostile application cannot affect the rest of the origin', async () => {
  application.respondWith((_request, response) => {
    response.writeHead(200, {
      'set-cookie': [
        'portico-session=fixed; Path=/',
        '__Host-portico-session=fixed; Path=/; Secure',
        '__HOST-Portico-session=fixed; Path=/; Secure',
        '=portico-session=fixed; Path=/',
        'portico-session',
        ' portico-device=fixed',
        'cart=7',
      ],
      'service-worker-allowed': '/',
      'clear-site-data': '"cookies", "storage"',
      'strict-transport-security': 'max-age=0',
      'alt-svc': 'h3="evil.example:443"',
      nel: '{"report_to":"x","max_age":60}',
      'report-to': '{"group":"x"}',
      'keep-alive': 'timeout=600',
      'proxy-authenticate': 'Basic',
      'www-authenticate': 'Basic',
      'reporting-endpoints': 'default="https://evil.example"',
      'speculation-rules': '"/account/rules.json"',
      'origin-agent-cluster': '?1',
      'accept-ch': 'sec-ch-ua-model',
      'critical-ch': 'sec-ch-ua-model',
      'origin-trial': 'token',
      'use-as-dictionary': 'match="/*"',
      'set-login': 'logged-out',
      'sec-session-registration': '(ES256); path="/account/x"',
      'some-future-header': 'x',
      'x-accel-redirect': '/internal',
      'x-sendfile': '/etc/passwd',
      'x-permitted-cross-domain-policies': 'all',
      'x-own': 'passes',
    })
    response.end('<p>page</p>')
  })
  const { headers } = await world.browser().fetch('/account')
  expect(headers.getSetCookie()).toEqual(['cart=7'])
  expect(headers.get('x-own')).toBe('passes')
  for (const name of [
    'service-worker-allowed',
    'clear-site-data',
    'strict-transport-security',
    'alt-svc',
    'nel',
    'report-to',
    'proxy-authenticate',
    'www-authenticate',
    'reporting-endpoints',
    'speculation-rules',
    'origin-agent-cluster',
    'accept-ch',
    'critical-ch',
    'origin-trial',
    'use-as-dictionary',
    'set-login',
    'sec-session-registration',
    'some-future-header',
    'x-accel-redirect',
    'x-sendfile',
    'x-permitted-cross-domain-policies',
  ]) {
    expect(headers.has(name), name).toBe(false)
  }
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'; object-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

/** More requests than may have a connection to the application at once. */
const SATURATION = 260

test('with every connection in use, no user receives what the application sent after a response to someone else', async () => {
  const stranger = world.browser()
  const held: (() => void)[] = []
  application.respondWith(({ method, url = '', socket }, response) => {
    if (url.startsWith('/account/held')) held.push(() => response.end('own'))
    else if (method === 'GET') response.end('own')
    else {
      // Some servers answer HEAD with a body. A client expects none, and would read it as the next response.
      const forged = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged'
      socket.write(`HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 99\r\n\r\n`)
      setTimeout(() => socket.write(forged), 20)
    }
  })
  const holding = Array.from({ length: SATURATION }, (_, each) =>
    stranger.fetch(`/account/held/${each}`).then((response) => response.text()),
  )
  await expect.poll(() => held.length, { timeout: 60_000 }).toBeGreaterThan(200)
  const pairs = Array.from({ length: 40 }, () => ({
    head: stranger.fetch('/account/head', { method: 'HEAD' }),
    answer: browser.fetch('/account').then((response) => response.text()),
  }))
  // The others pass through a few connections, one after another.
  for (const end of held.splice(0, 8)) end()
  const answers = await Promise.all(pairs.map(({ answer }) => answer))
  expect(new Set(answers)).toEqual(new Set(['own']))
  await Promise.all(pairs.map(({ head }) => head))
  expect(new Set(application.received.map(({ request }) => request.headers.connection))).toEqual(
    new Set(['close']),
  )
  const releasing = setInterval(() => held.splice(0).forEach((end) => end()), 10)
  expect(new Set(await Promise.all(holding))).toEqual(new Set(['own']))
  clearInterval(releasing)
})

/** Answers with raw bytes and closes the connection. */
const bytes = (text: string) => {
  application.respondWith((request) => {
    const { socket }: { socket: Socket } = request
    socket.end(text)
  })
}

test.each([
  ['nothing', ''],
  ['no HTTP', 'hello\r\n\r\n'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  ],
  ['an impossible status', 'HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n'],
  [
    'both lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'],
  ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
  [
    'a header with a line break',
    'HTTP/1.1 200 OK\r\nx: y\rset-cookie: a=b\r\ncontent-length: 0\r\n\r\n',
  ],
])('an application that responds with %s yields our error page', async (_name, text) => {
  bytes(text)
  const response = await browser.fetch('/account', { headers: { accept: 'text/html' } })
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('This page is not available at the moment')
})

test('a truncated response is incomplete for the browser too', async () => {
  bytes('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly a part')
  const response = await browser.fetch('/account')
  await expect(response.text()).rejects.toThrow('terminated')
})

test('a WebSocket does not open: the application receives an ordinary request', async () => {
  const response = await rawRequest(
    world.url,
    `GET /account/socket HTTP/1.1\r\nhost: ${new URL(world.url).host}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(headersOf()).not.toHaveProperty('upgrade')
})

test('a client that disconnects aborts its request to the application', async () => {
  const left = new Promise<void>((resolve) => {
    application.respondWith((request) => request.socket.once('close', () => resolve()))
  })
  const leaving = new AbortController()
  const request = browser.fetch('/account', { signal: leaving.signal })
  await expect.poll(() => application.received.length, { timeout: 30_000 }).toBe(1)
  leaving.abort()
  await expect(request).rejects.toThrow('aborted')
  await left
})
