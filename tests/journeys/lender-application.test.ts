/** The lender's application behind Portico (`LENDER_APP_MODE=proxy`). */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applicationServer, type Received } from '../support/application-server.ts'
import type { Browser, Credentials } from '../support/browser.ts'
import { anOperator } from '../support/operator.ts'
import { PEOPLE } from '../support/people.ts'
import { rawRequest } from '../support/raw-request.ts'
import { viewPerson } from '../support/viewing.ts'
import { aWorld } from '../support/world.ts'

let application: Awaited<ReturnType<typeof applicationServer>>
let world: Awaited<ReturnType<typeof aWorld>>
beforeAll(async () => {
  application = await applicationServer()
  world = await aWorld().withSettings({
    LENDER_APP_URL: `${application.url}/ignored`,
    LENDER_APP_MODE: 'proxy',
  })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await application[Symbol.asyncDispose]()
})
beforeEach(() => application.respondWith())

async function signedIn(who: Credentials = PEOPLE.plain): Promise<Browser> {
  const browser = world.browser()
  await browser.signIn(who)
  return browser
}

const received = async (browser: Browser, path: string, init: RequestInit = {}) =>
  (await (await browser.fetch(path, init)).json()) as Received

/** A token's claims, verified with the published keys, as an application would. */
async function verified(token: string | undefined): Promise<Record<string, unknown>> {
  const [header = '', payload = '', signature = ''] = (token ?? '').split('.')
  const { kid, alg, typ } = decoded(header)
  expect({ alg, typ }).toEqual({ alg: 'ES256', typ: 'portico-identity+jwt' })
  const { keys } = (await (await fetch(`${world.url}/oidc/jwks`)).json()) as {
    keys: readonly JsonWebKey[]
  }
  const jwk = keys.find((each) => each['kid'] === kid) ?? {}
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  const text = Buffer.from(`${header}.${payload}`)
  expect(verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
  return decoded(payload)
}

const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

test('the application knows the user by a signed token for this request and a minute', async () => {
  const browser = await signedIn()
  const { url, headers } = await received(browser, '/account/heloc?step=2')
  expect(url).toBe('/account/heloc?step=2')
  const claims = await verified(headers['portico-identity'])
  expect(claims).toMatchObject({
    iss: `${world.origin}/oidc`,
    aud: application.url,
    email: PEOPLE.plain.email,
    organization: 'FIGURE',
    acr: 'one-factor',
    amr: ['pwd'],
    method: 'GET',
    path: '/account/heloc?step=2',
  })
  expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60)
  expect(headers).toMatchObject({
    host: new URL(application.url).host,
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': new URL(world.origin).host,
    'x-forwarded-proto': 'http',
  })
})

test('without a session, and after the session ended, the application receives no token', async () => {
  const browser = await signedIn()
  expect((await received(world.browser(), '/portfolio')).headers).not.toHaveProperty(
    'portico-identity',
  )
  const cookies = new Map(browser.cookies)
  await browser.logOut()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await received(browser, '/portfolio')).headers).not.toHaveProperty('portico-identity')
})

test('a request to the application counts as use of the session', async () => {
  const browser = await signedIn(PEOPLE.individual)
  for (let each = 0; each < 3; each += 1) {
    world.clock.pass(1400 * 1000)
    expect((await received(browser, '/account')).headers).toHaveProperty('portico-identity')
  }
})

test("the application's cookies pass both ways, and ours in neither", async () => {
  const browser = await signedIn()
  application.respondWith((_request, response) => {
    response.setHeader('set-cookie', ['cart=7; Path=/account', 'theme=dark'])
    response.end()
  })
  await browser.fetch('/account')
  application.respondWith()
  expect((await received(browser, '/account')).headers['cookie']).toBe('cart=7; theme=dark')
})

test('15 an operator who views a person only reads there, is named in the token, and takes and leaves no cookie', async () => {
  const support = await anOperator(world, 'support')
  support.browser.cookies.set('cart', '7')
  const person = await world.server.stores.identities.findByEmail(PEOPLE.plain.email)
  const tab = await viewPerson(world, support, person?.id ?? '')
  const { headers } = await received(tab, '/account/heloc')
  expect(await verified(headers['portico-identity'])).toMatchObject({
    sub: person?.id,
    email: PEOPLE.plain.email,
    amr: [],
    act: { sub: support.identityId },
  })
  expect(headers['cookie']).toBeUndefined()
  application.respondWith((_request, response) => {
    response.setHeader('set-cookie', 'lender-session=of-the-person')
    response.end()
  })
  expect((await tab.fetch('/account')).headers.getSetCookie()).toEqual([])
  const count = application.received.length
  expect((await tab.fetch('/account/pay', { method: 'POST', body: 'x' })).status).toBe(403)
  expect(application.received).toHaveLength(count)
})

test('bodies pass in both directions, and one that is too large is refused', async () => {
  const browser = await signedIn()
  const body = 'x'.repeat(3_000_000)
  const echoed = await received(browser, '/account/upload', { method: 'POST', body })
  expect(echoed.body).toBe(body)
  const count = application.received.length
  const length = 26 * 1024 * 1024
  const declared = await rawRequest(
    world.url,
    `POST /account HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`,
  )
  expect(declared).toMatch(/^HTTP\/1\.1 413 /)
  const chunks = async function* () {
    for (let each = 0; each < 26; each += 1) yield Buffer.alloc(1024 * 1024)
  }
  const chunked = await browser
    .fetch('/account', {
      method: 'PUT',
      body: Readable.toWeb(Readable.from(chunks())),
      duplex: 'half',
    } as RequestInit)
    .then(
      ({ status }) => status,
      () => 413, // The connection closed before the client had sent everything.
    )
  expect(chunked).toBe(413)
  expect(application.received).toHaveLength(count)
})

test.each([
  [(own: string) => `${own}/account/next?a=1#b`, (our: string) => `${our}/account/next?a=1#b`],
  [() => '/account/next', () => '/account/next'],
  [() => 'https://pay.example/checkout', () => 'https://pay.example/checkout'],
])(
  'a redirect to its own origin is rewritten to ours, and others are unchanged: %#',
  async (location, expected) => {
    application.respondWith((_request, response) => {
      response.writeHead(303, { location: location(application.url) }).end()
    })
    const response = await world.browser().fetch('/account')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(expected(world.origin))
  },
)

test.each([
  [undefined, 'no-store'],
  ['public, max-age=60, s-maxage=600', 'private, max-age=60'],
  ['no-store', 'private, no-store'],
])('no shared cache stores a user’s response: %s', async (caching, expected) => {
  application.respondWith((_request, response) => {
    if (caching !== undefined) response.setHeader('cache-control', caching)
    response.setHeader('cdn-cache-control', 'max-age=600')
    response.setHeader('vary', 'accept-encoding')
    response.end()
  })
  const { headers } = await (await signedIn()).fetch('/account')
  expect(headers.get('cache-control')).toBe(expected)
  expect(headers.get('vary')).toBe('accept-encoding, cookie')
  expect(headers.has('cdn-cache-control')).toBe(false)
  const anonymous = await world.browser().fetch('/account')
  expect(anonymous.headers.get('cache-control')).toBe(caching ?? null)
  expect(anonymous.headers.get('vary')).toBe('accept-encoding, cookie')
})

test('an application that is down or broken is explained on a page and to scripts', async () => {
  const nothing = await applicationServer()
  await nothing[Symbol.asyncDispose]()
  await using world = await aWorld().withSettings({
    LENDER_APP_URL: nothing.url,
    LENDER_APP_MODE: 'proxy',
  })
  const page = await world.browser().fetch('/account', { headers: { accept: 'text/html' } })
  expect(page.status).toBe(502)
  expect(await page.text()).toContain('This page is not available at the moment')
  const call = await world.browser().fetch('/account/api', { method: 'POST' })
  expect(call.status).toBe(502)
  expect(await call.json()).toMatchObject({ code: 'application-not-available' })
})
