import type { MailTransport } from '@portico/server/mail-transport'
import { openApi } from '@portico/server/openapi'
import { expect, test, vi } from 'vitest'
import { aWorld, newPerson, OTHER_PASSWORD } from '../support/world.ts'

const DEMONSTRATION_PATHS = ['/dev/mailbox', '/dev/mailbox/messages', '/dev/people']
const noMail: MailTransport = { send: async () => undefined, close: () => undefined }

test('health, readiness, metrics, description, reference and keys answer', async () => {
  await using world = await aWorld()
  const get = (path: string) => fetch(`${world.url}${path}`)
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok', version: '0.1.0' })
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ready' })

  const metrics = await get('/metrics')
  expect(metrics.headers.get('content-type')).toContain('text/plain')
  expect(await metrics.text()).toContain(
    'portico_http_requests_total{method="GET",route="/healthz",status="200"} 1',
  )

  expect(await (await get('/openapi.json')).json()).toEqual(openApi('0.1.0'))
  const docs = await get('/docs/plain')
  expect(docs.headers.get('content-type')).toContain('text/html')
  expect(await docs.text()).toContain('POST /identity/api/v2/login')

  const { keys } = (await (await get('/.well-known/jwks.json')).json()) as {
    keys: Record<string, string>[]
  }
  expect(keys).toEqual([
    {
      kty: 'EC',
      crv: 'secp256k1',
      alg: 'ES256K',
      use: 'sig',
      kid: expect.any(String),
      x: expect.any(String),
      y: expect.any(String),
    },
  ])
  expect(await (await get('/.well-known/security.txt')).text()).toMatch(
    /^Contact: mailto:help@figure\.example\nExpires: \d{4}-/,
  )
})

test('a server without its database is alive but not ready', async () => {
  await using world = await aWorld()
  world.server.stores.counters.increment = () => Promise.reject(new Error('gone'))
  const response = await fetch(`${world.url}/readyz`)
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      code: 'not-ready',
      message: 'The service is not ready. Please try again in a minute.',
      errors: ['The service is not ready. Please try again in a minute.'],
    },
  ])
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
})

test('metrics count logins by method and outcome, refused requests by limit, and work waiting in the database', async () => {
  const customer = newPerson('counted')
  await using world = await aWorld().withCustomer(customer)
  await world.browser().signIn(customer)
  const login = async (body: unknown) => {
    const response = await fetch(`${world.url}/identity/api/v2/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.status
  }
  expect(await login({ email: customer.email, password: OTHER_PASSWORD })).toBe(400)
  const statuses: number[] = []
  while (statuses.length < 400 && !statuses.includes(429)) statuses.push(await login({}))
  expect(statuses.at(-1)).toBe(429)
  const metrics = await (await fetch(`${world.url}/metrics`)).text()
  for (const line of [
    'portico_logins_total{method="password",outcome="logged-in"} 1',
    'portico_logins_total{method="password",outcome="wrong-credentials"} 1',
    'portico_rate_limited_total{limit="login"} 1',
    'portico_outbox_waiting{channel="email"} 0',
    'portico_up{service="database"} 1',
    'portico_webhook_endpoints{state="disabled"} 0',
    'portico_openid_logouts_waiting 0',
  ]) {
    expect(metrics).toContain(`\n${line}\n`)
  }
  expect(metrics).not.toContain(customer.email)
})

test('metrics answer without the database, and say so', async () => {
  await using world = await aWorld()
  const gone = () => Promise.reject(new Error('gone'))
  Object.assign(world.server.stores.counters, { increment: gone })
  Object.assign(world.server.stores.messages, { backlog: gone })
  const response = await fetch(`${world.url}/metrics`)
  expect(response.status).toBe(200)
  const metrics = await response.text()
  expect(metrics).toContain('\nportico_up{service="database"} 0\n')
  expect(metrics).toContain('\nportico_outbox_waiting{channel="email"} Nan\n')
})

test('metrics label routes by pattern, never by a person’s address', async () => {
  await using world = await aWorld()
  await fetch(`${world.url}/auth/login?email=olive.plain%40portico.example`)
  await fetch(`${world.url}/somebody@people.example`)
  const metrics = await (await fetch(`${world.url}/metrics`)).text()
  expect(metrics).toContain('route="/auth/*"')
  expect(metrics).not.toContain('example')
})

test('demonstration mode has a mailbox, people and their list', async () => {
  const { email } = newPerson('<b>mail')
  await using world = await aWorld()
  const people = (await (await fetch(`${world.url}/dev/people`)).json()) as { email: string }[]
  expect(people.length).toBeGreaterThan(5)
  for (const query of ['', '?to=', '?to=a&to=b', `?to=${encodeURIComponent(email)}`, '?to=%00']) {
    const page = await fetch(`${world.url}/dev/mailbox${query}`)
    expect(page.status, query).toBe(200)
    expect(await page.text(), query).not.toContain('<b>mail')
    expect((await fetch(`${world.url}/dev/mailbox/messages${query}`)).status, query).toBe(200)
  }
})

test('production has no demonstration paths and no seeded people', async () => {
  await using world = await aWorld().inProduction(noMail)
  for (const path of DEMONSTRATION_PATHS) {
    expect((await fetch(`${world.url}${path}`)).status, path).toBe(404)
  }
  expect(await world.query('select email from identities')).toEqual([])
  const page = await (await fetch(`${world.url}/auth/login`)).text()
  expect(page).toContain('"demonstration":false')
})

test('9 in production the public port shows no metrics, API description, reference or version; the management port does', async () => {
  await using world = await aWorld().inProduction(noMail).withSettings({ MANAGEMENT_PORT: '0' })
  const paths = ['/metrics', '/openapi.json', '/docs', '/docs/plain']
  for (const path of paths) {
    expect((await fetch(`${world.url}${path}`)).status, path).toBe(404)
  }
  expect(await (await fetch(`${world.url}/healthz`)).json()).toEqual({ status: 'ok' })
  const { management } = world.server
  for (const path of ['/metrics', '/openapi.json', '/docs']) {
    expect((await management?.inject(path))?.statusCode, path).toBe(200)
  }
  expect((await management?.inject('/healthz'))?.json()).toMatchObject({ version: '0.1.0' })
})

test('a stop finishes open requests and then closes', async () => {
  const owner = newPerson('last')
  const world = await aWorld().withCustomer(owner)
  const browser = world.browser()
  const signingIn = browser.signIn(owner)
  await new Promise((resolve) => world.server.app.server.once('request', resolve))
  const closed = world[Symbol.asyncDispose]()
  expect(await signingIn).toEqual({ jwt: expect.any(String) })
  await closed
  await expect(fetch(`${world.url}/healthz`)).rejects.toThrow('fetch failed')
})

test('a stop accepts no requests while a background task finishes', async () => {
  const world = await aWorld()
  const { nodes } = world.server.stores
  const unlist = nodes.delete
  const task = Promise.withResolvers<void>()
  nodes.delete = async (id) => {
    await task.promise
    await unlist(id)
  }
  const closed = world[Symbol.asyncDispose]()
  await vi.waitFor(
    () => expect(fetch(`${world.url}/healthz`)).rejects.toThrow('fetch failed'),
    2000,
  )
  task.resolve()
  await closed
})
