import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { logout } from '@portico/contracts/identity'
import { DAY_MS } from '@portico/contracts/limits'
import { expect, test, vi } from 'vitest'
import { type Folder, temporaryFolder } from '../support/temporary-folder.ts'
import { ON_POSTGRES } from '../support/test-database.ts'
import { type Received, webhookReceiver } from '../support/webhook-receiver.ts'
import { aWorld, newPerson, PASSWORD, refusal } from '../support/world.ts'

const WAITS = { timeout: 10_000 }
const SHIPPED = fileURLToPath(new URL('../../config/', import.meta.url))
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const EARLIER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
const HOUR_MS = 60 * 60 * 1000

/** The waits after each attempt with the most jitter, in hours; together less than five days. */
const LONGEST_WAITS = [0.01, 0.1, 0.6, 2.3, 5.6, 11.1, 15.5, 22.1, 26.5]

/** The embedded database allows one process. */
const NODES = ON_POSTGRES ? 2 : 1

/** The shipped configuration with endpoints. */
function withEndpoints(endpoints: readonly object[]): Folder {
  const folder = temporaryFolder()
  cpSync(SHIPPED, folder.path, { recursive: true })
  mkdirSync(join(folder.path, 'webhooks'))
  endpoints.forEach((endpoint, index) => {
    const content = {
      id: `endpoint-${index}`,
      organization: 'FIGURE',
      secrets: ['WEBHOOK_SECRET_LENDER'],
      contact: 'engineers@lender.example',
      ...endpoint,
    }
    writeFileSync(join(folder.path, 'webhooks', `${index}.json`), JSON.stringify(content))
  })
  return folder
}

const settings = (folder: Folder) => ({
  CONFIG_DIR: folder.path,
  WEBHOOK_SECRET_LENDER: SECRET,
  WEBHOOK_SECRET_EARLIER: EARLIER_SECRET,
})

const typesOf = (received: readonly Received[]) => received.map(({ payload }) => payload.type)

function signatureBy(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test('webhooks: an endpoint receives the events of its own people, signed by both secrets, without secrets and codes', {
  tags: 'database',
}, async () => {
  using own = await webhookReceiver()
  using others = await webhookReceiver()
  using few = await webhookReceiver()
  using folder = withEndpoints([
    { url: own.url, secrets: ['WEBHOOK_SECRET_LENDER', 'WEBHOOK_SECRET_EARLIER'] },
    { url: others.url, organization: 'HARBORLINE' },
    { url: few.url, events: ['session.ended'] },
  ])
  await using world = await aWorld().withSettings(settings(folder))
  const person = newPerson()
  await world.browser().register(person)
  // On the page of another lender: the event still belongs to the person's own.
  const browser = world.browser()
  browser.cookies.set('portico-organization', 'HARBORLINE')
  await browser.signIn(person)
  await browser.call(logout, {})

  await vi.waitFor(() => expect(typesOf(few.received)).toEqual(['session.ended']), WAITS)
  await vi.waitFor(() => expect(typesOf(own.received)).toContain('session.ended'), WAITS)
  expect(typesOf(own.received)).toEqual(
    expect.arrayContaining(['account.created', 'session.started', 'password.set']),
  )
  expect(others.received).toEqual([])

  const created = own.received.find(({ payload }) => payload.type === 'account.created')
  if (created === undefined) throw new Error('The account was not reported')
  const { data } = created.payload
  expect(data).toEqual({
    organization: 'FIGURE',
    identityId: expect.any(String),
    email: person.email,
  })
  expect(created.headers['webhook-signature']).toBe(
    `${signatureBy(SECRET, created)} ${signatureBy(EARLIER_SECRET, created)}`,
  )
  const texts = own.received.map(({ body }) => body).join('\n')
  expect(texts.match(new RegExp(person.email, 'g'))).toHaveLength(1)
  expect(texts).not.toMatch(/127\.0\.0\.1|eyJ|"\d{6}"/)
  expect(texts).not.toContain(PASSWORD)
})

test('webhooks: a failed delivery is retried with the same ID and a new time, and abandoned after ten attempts', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url, events: ['account.created'] }])
  await using world = await aWorld().withSettings(settings(folder))
  receiver.answer = (response) => void response.writeHead(500).end()
  await world.browser().register(newPerson())
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await vi.waitFor(() => expect(receiver.received).toHaveLength(attempt), WAITS)
    await vi.waitFor(async () => {
      const [row] = await world.query('select attempts from webhook_deliveries')
      expect(Number(row?.attempts)).toBe(attempt)
    }, WAITS)
    world.clock.pass((LONGEST_WAITS[attempt - 1] ?? 30) * HOUR_MS)
  }
  await wait(600)
  expect(receiver.received).toHaveLength(10)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toHaveLength(1)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(
    10,
  )
  expect(await world.server.manageWebhooks(['list'])).toContain('0 waiting, 1 given up')

  receiver.answer = (response) => void response.writeHead(200).end()
  const since = new Date(world.clock.now() - 10 * DAY_MS).toISOString()
  expect(await world.server.manageWebhooks(['replay', 'endpoint-0', since])).toContain('1 webhooks')
  const reversed = ['replay', 'endpoint-0', new Date(world.clock.now()).toISOString(), since]
  await expect(world.server.manageWebhooks(reversed)).rejects.toThrow('SINCE is after UNTIL')
  world.clock.pass(HOUR_MS)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(11), WAITS)
  await vi.waitFor(async () => {
    expect(await world.server.manageWebhooks(['history', 'endpoint-0'])).toMatch(
      /account\.created {2}delivered \S+ {2}attempts: 1, last: 200$/,
    )
  }, WAITS)
})

test('webhooks: an endpoint that fails for five days is disabled with a mail, keeps its events, and gets them when it is enabled', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url, events: ['account.created'] }])
  await using world = await aWorld().withSettings(settings(folder))
  receiver.answer = (response) => void response.writeHead(503).end()
  await world.browser().register(newPerson())
  await vi.waitFor(async () => {
    expect(await world.server.manageWebhooks(['list'])).toContain('failing since')
  }, WAITS)
  world.clock.pass(5 * DAY_MS)
  await vi.waitFor(async () => {
    expect(await world.server.manageWebhooks(['list'])).toContain('disabled since')
  }, WAITS)
  const [mail] = await world.mail('engineers@lender.example')
  expect(mail?.subject).toMatch(/^Webhooks to 127\.0\.0\.1:\d+ are turned off$/)
  const before = receiver.received.length
  await world.browser().register(newPerson())
  await wait(600)
  expect(receiver.received).toHaveLength(before)

  receiver.answer = (response) => void response.writeHead(204).end()
  await world.server.manageWebhooks(['enable', 'endpoint-0'])
  world.clock.pass(HOUR_MS)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(before + 2), WAITS)
})

test('webhooks: 410 Gone disables an endpoint at once', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url, events: ['account.created'] }])
  await using world = await aWorld().withSettings(settings(folder))
  receiver.answer = (response) => void response.writeHead(410).end()
  await world.browser().register(newPerson())
  await vi.waitFor(async () => {
    expect(await world.server.manageWebhooks(['list'])).toContain('disabled since')
  }, WAITS)
  expect(await world.mail('engineers@lender.example')).toHaveLength(1)
  expect(await world.server.manageWebhooks(['history', 'endpoint-0'])).toMatch(
    /waits until the endpoint is enabled {2}attempts: 1, last: 410$/,
  )
})

/** What hostile or broken receivers do. */
const HOSTILE: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'never answers': () => undefined,
  'sends its headers byte by byte': ({ socket }) => {
    const dripping = setInterval(() => socket?.write('H'), 500)
    socket?.once('close', () => clearInterval(dripping))
  },
  'answers with an endless body': (response) => {
    response.writeHead(500)
    const more = () => {
      while (response.write(Buffer.alloc(1_000_000)));
    }
    response.on('drain', more)
    more()
  },
  'redirects to the metadata service': (response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
  },
}

test('webhooks: slow or hostile receivers do not delay others', async () => {
  const hostile = await Promise.all(Object.keys(HOSTILE).map(() => webhookReceiver()))
  using good = await webhookReceiver()
  using folder = withEndpoints([...hostile, good].map(({ url }) => ({ url })))
  await using world = await aWorld().withSettings(settings(folder))
  Object.values(HOSTILE).forEach((answer, index) => {
    const receiver = hostile[index]
    if (receiver !== undefined) receiver.answer = answer
  })
  const memory = process.memoryUsage().rss
  const browser = world.browser()
  const person = newPerson()
  await browser.register(person)
  for (let times = 0; times < 5; times += 1) await world.browser().signIn(person)
  const done = Date.now()
  await vi.waitFor(() => {
    const started = typesOf(good.received).filter((type) => type === 'session.started')
    expect(started.length).toBeGreaterThanOrEqual(5)
  }, WAITS)
  expect(Date.now() - done).toBeLessThan(5000)
  // The redirect and the endless answer are failures, and nothing of the body is read.
  await vi.waitFor(async () => {
    const list = await world.server.manageWebhooks(['list'])
    expect(list).toMatch(/endpoint-2 .*failing since/)
    expect(list).toMatch(/endpoint-3 .*failing since/)
  }, WAITS)
  expect(process.memoryUsage().rss - memory).toBeLessThan(200_000_000)
  for (const receiver of hostile) receiver[Symbol.dispose]()
})

test('webhooks: an event that an endpoint rejects does not block others', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url }])
  await using world = await aWorld().withSettings(settings(folder))
  receiver.answer = (response) => {
    const { payload } = receiver.received.at(-1) ?? {}
    response.writeHead(payload?.type === 'account.created' ? 400 : 204).end()
  }
  const person = newPerson()
  await world.browser().register(person)
  await world.browser().signIn(person)
  await vi.waitFor(() => {
    world.clock.pass(2000)
    const types = typesOf(receiver.received)
    expect(types).toContain('account.created')
    // Once for the registration, once for the login after it.
    expect(types.filter((type) => type === 'session.started').length).toBeGreaterThan(1)
  }, WAITS)
})

test('webhooks: an event from a later version waits for a newer node, and does not block others', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url, events: ['session.refused'] }])
  const person = newPerson()
  await using world = await aWorld().withSettings(settings(folder)).withCustomer(person)
  const { stores } = world.server
  const [endpoint] = await stores.webhookEndpoints.list()
  if (endpoint === undefined) throw new Error('There is no endpoint')
  // As after a rollback: the later version has stored a whole round of events that are unknown to this one.
  await stores.webhookEndpoints.upsert({ ...endpoint, kinds: `${endpoint.kinds}of-later ` })
  const identity = await stores.identities.findByEmail(person.email)
  const record = (kind: 'registered' | 'sign-in-refused') =>
    stores.audit.record(
      kind,
      { identityId: identity?.id ?? null, at: world.clock.now() },
      { network: '', organization: { orgCode: 'FIGURE' } },
    )
  for (let count = 0; count < 8; count += 1) await record('of-later' as 'registered')
  world.clock.pass(1)
  await record('sign-in-refused')
  await vi.waitFor(() => expect(typesOf(receiver.received)).toContain('session.refused'), WAITS)
  const deliveries = await stores.webhookDeliveries.listLatest(endpoint.id, 100)
  const later = deliveries.filter(({ kind }) => kind === 'of-later')
  expect(later).toHaveLength(8)
  for (const { attempts, nextAttemptAt, lastResult } of later) {
    expect([attempts, lastResult]).toEqual([0, 'event of a later version'])
    expect(nextAttemptAt).not.toBeNull()
  }
})

test('webhooks: nodes never send to an endpoint at the same time, and no event is lost, even if the database drops its connections', {
  tags: 'database',
}, async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url, events: ['session.refused'] }])
  const person = newPerson()
  await using world = await aWorld()
    .withSettings(settings(folder))
    .withNodes(NODES)
    .withCustomer(person)
  // One request at a time shows that a second node does not send as well.
  receiver.answer = (response) => void setTimeout(() => response.writeHead(204).end(), 20)
  const { stores } = world.server
  const identity = await stores.identities.findByEmail(person.email)
  const refuse = async (index: number) => {
    const { stores } = (world.nodes[index % NODES] ?? world).server ?? world.server
    await stores.audit.record(
      'sign-in-refused',
      { identityId: identity?.id ?? null, at: world.clock.now() },
      { network: '', organization: { orgCode: 'FIGURE' } },
    )
  }
  await Promise.all(Array.from({ length: 60 }, (_, index) => refuse(index)))
  if (ON_POSTGRES) {
    await world
      .query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid != pg_backend_pid()',
      )
      .catch(() => undefined)
  }
  await vi.waitFor(() => {
    world.clock.pass(1000)
    expect(receiver.received.length).toBeGreaterThanOrEqual(60)
  }, WAITS)
  await wait(600)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(60)
  // A round that lost its connection after the answers is sent again: at most eight requests.
  expect(ids.length).toBeLessThanOrEqual(ON_POSTGRES ? 68 : 60)
  expect(receiver.mostAtOnce()).toBeLessThanOrEqual(8)
})

test('webhooks: a refused login for an unknown address belongs to no account and is not sent', async () => {
  using receiver = await webhookReceiver()
  using folder = withEndpoints([{ url: receiver.url }])
  await using world = await aWorld().withSettings(settings(folder))
  const call = world.browser().signIn({ email: 'no.one@people.example', password: PASSWORD })
  expect((await refusal(call)).code).toBe('wrong-credentials')
  await wait(600)
  expect(receiver.received).toEqual([])
})
