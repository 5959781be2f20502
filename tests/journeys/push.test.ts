import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import {
  PUSH_LIFETIME_MS,
  PUSH_SUBSCRIPTIONS_PER_NETWORK,
  readPushKey,
  subscribePush,
  unsubscribePush,
} from '@portico/contracts/push'
import { expect, test, vi } from 'vitest'
import { listen } from '../support/listen.ts'
import { outcomes } from '../support/race.ts'
import { relayClient } from '../support/relay-client.ts'
import { aWorld, ON_REDIS, refusal } from '../support/world.ts'

const WAITS = { timeout: 10_000 }

/** A push service that accepts messages, or answers with `status`. */
async function aPushService() {
  const received: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const headers: Record<string, string> = {}
  const service = {
    received,
    status: 201,
    headers,
    host: '',
    [Symbol.dispose]: () => void server.close(),
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '' } = request
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(service.status, headers).end()
    })
  })
  const port = await listen(server)
  service.host = `127.0.0.1:${port}`
  return service
}

/** A browser's subscription, which can read its messages (RFC 8291). */
function aBrowser(host: string, path = `/${randomUUID()}`) {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys()
  const auth = randomBytes(16)
  const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  return {
    subscription: {
      endpoint: `http://${host}${path}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    path,
    read(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const theirs = body.subarray(21, 21 + keyLength)
      const sealed = body.subarray(21 + keyLength)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, theirs])
      const secret = derive(ecdh.computeSecret(theirs), auth, info, 32)
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      expect(padded.at(-1)).toBe(2)
      return padded.subarray(0, -1).toString()
    },
  }
}

/** Whether a push service accepts the authorization header (RFC 8292). */
function isAuthorized(header: string, publicKey: string, claims: object): boolean {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  expect(key).toBe(publicKey)
  expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject(claims)
  return verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}

test('protocol 3.6: a request that arrives while the wallet is closed is notified without any detail of it', {
  tags: 'database',
}, async () => {
  using service = await aPushService()
  await using world = await aWorld().withSettings({ PUSH_HOSTS: service.host })
  const phone = aBrowser(service.host)
  const browser = world.browser()
  const { publicKey } = await browser.call(readPushKey, {})
  const topic = randomUUID()
  await browser.call(subscribePush, {
    body: { subscription: phone.subscription, topics: [topic, randomUUID()] },
  })
  using page = await relayClient(world.url)
  page.publish(randomUUID(), 'another topic', false)
  page.publish(topic, 'silent', true)
  page.publish(topic, 'a request', false)
  await vi.waitFor(() => expect(service.received).toHaveLength(1), WAITS)
  const [{ path, headers, body }] = service.received as [(typeof service.received)[0]]
  expect(path).toBe(phone.path)
  expect(phone.read(body)).toBe('A page is waiting for you')
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '3600',
    urgency: 'high',
    topic: 'request',
  })
  const claims = {
    aud: `http://${service.host}`,
    sub: 'mailto:no-reply@portico.example',
    exp: expect.any(Number),
  }
  expect(isAuthorized(headers.authorization ?? '', publicKey, claims)).toBe(true)

  // The request is found without the notification, too, and an open wallet is not notified.
  using wallet = await relayClient(world.url)
  wallet.subscribe(topic)
  await vi.waitFor(() => expect(wallet.payloads()).toEqual(['silent', 'a request']), WAITS)
  page.publish(topic, 'another request', false)
  await vi.waitFor(() => expect(wallet.payloads()).toHaveLength(3), WAITS)
  await page.settled()
  expect(service.received).toHaveLength(1)
})

test('protocol 3.6: subscribing again replaces the topics, and unsubscribing ends the notifications', async () => {
  using service = await aPushService()
  await using world = await aWorld().withSettings({ PUSH_HOSTS: service.host })
  const browser = world.browser()
  const { subscription } = aBrowser(service.host)
  const [first, second, last] = [randomUUID(), randomUUID(), randomUUID()]
  await browser.call(subscribePush, { body: { subscription, topics: [first, second] } })
  await browser.call(subscribePush, { body: { subscription, topics: [second, second] } })
  // Another wallet shows when the first one's notification would have arrived.
  const other = aBrowser(service.host)
  await browser.call(subscribePush, {
    body: { subscription: other.subscription, topics: [first, last] },
  })
  using page = await relayClient(world.url)
  page.publish(first, 'x', false)
  await vi.waitFor(
    () => expect(service.received.map(({ path }) => path)).toEqual([other.path]),
    WAITS,
  )
  page.publish(second, 'x', false)
  await vi.waitFor(() => expect(service.received).toHaveLength(2), WAITS)
  await browser.call(unsubscribePush, { body: { endpoint: subscription.endpoint } })
  page.publish(second, 'x', false)
  page.publish(last, 'x', false)
  await vi.waitFor(() => expect(service.received).toHaveLength(3), WAITS)
  expect(service.received.at(-1)?.path).toBe(other.path)
})

test('protocol 3.6: a subscription that the push service no longer has is removed', async () => {
  using service = await aPushService()
  await using world = await aWorld().withSettings({ PUSH_HOSTS: service.host })
  const { subscription } = aBrowser(service.host)
  const topic = randomUUID()
  await world.browser().call(subscribePush, { body: { subscription, topics: [topic] } })
  const stored = () => world.query('select id_hash from push_subscriptions')
  using page = await relayClient(world.url)
  service.status = 500
  page.publish(topic, 'x', false)
  await vi.waitFor(() => expect(service.received).toHaveLength(1), WAITS)
  expect(await stored()).toHaveLength(1)
  service.status = 410
  page.publish(topic, 'x', false)
  await vi.waitFor(async () => expect(await stored()).toEqual([]), WAITS)
  expect(await world.query('select topic_hash from push_topics')).toEqual([])
})

test('9 unless the operator lists others, only the push services of browsers are called', async () => {
  await using world = await aWorld()
  const { subscription } = aBrowser('push.example')
  const subscribe = (endpoint: string) =>
    world
      .browser()
      .call(subscribePush, { body: { subscription: { ...subscription, endpoint }, topics: ['x'] } })
  for (const endpoint of [
    'https://push.example/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user:word@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.attacker.example/x',
    'https://attackerfcm.googleapis.com/x',
    'https://attackerpush.apple.com/x',
    'https://push.apple.com.attacker.example/x',
    'https://*.push.apple.com.attacker.example/x',
  ]) {
    expect(await refusal(subscribe(endpoint)), endpoint).toMatchObject({ code: 'invalid-request' })
  }
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-par02p.notify.windows.com/w/?token=x',
  ]) {
    await subscribe(endpoint)
  }
})

test('protocol 3.6: a push service that wants fewer messages gets none until it says so', async () => {
  using service = await aPushService()
  await using world = await aWorld().withSettings({ PUSH_HOSTS: service.host })
  const { subscription, path } = aBrowser(service.host)
  const other = aBrowser(service.host)
  const [topic, last] = [randomUUID(), randomUUID()]
  const browser = world.browser()
  await browser.call(subscribePush, { body: { subscription, topics: [topic] } })
  await browser.call(subscribePush, { body: { subscription: other.subscription, topics: [last] } })
  using page = await relayClient(world.url)
  const announced = async (to: string, count: number) => {
    page.publish(to, 'x', false)
    await vi.waitFor(() => expect(service.received).toHaveLength(count), WAITS)
    return service.received.at(-1)?.path
  }
  for (const [retryAfter, waitS] of [
    ['120', 120],
    [new Date(world.clock.now() + 90_000).toUTCString(), 90],
    ['soon', 60],
    ['1e99', 3600],
  ] as const) {
    service.received.length = 0
    service.status = 429
    service.headers['retry-after'] = retryAfter
    expect(await announced(topic, 1)).toBe(path)
    service.status = 201
    page.publish(topic, 'x', false)
    // The other wallet shows that this one was left out.
    expect(await announced(last, 2)).toBe(other.path)
    world.clock.pass((waitS + 1) * 1000)
    expect(await announced(topic, 3)).toBe(path)
    world.clock.pass(60_000)
  }
  expect(await world.query('select id_hash from push_subscriptions')).toHaveLength(2)
})

test('9 only push services that may be called are accepted, and only with a key that can encrypt', async () => {
  await using world = await aWorld().withSettings({ PUSH_HOSTS: 'public' })
  const { subscription } = aBrowser('push.example')
  const refused = (changed: object) =>
    refusal(
      world.browser().call(subscribePush, {
        body: { subscription: { ...subscription, ...changed }, topics: ['x'] },
      }),
    )
  for (const endpoint of [
    subscription.endpoint,
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.0.0.1/x',
    'https://push.example:8443/x',
    'https://user:word@push.example/x',
    'ftp://push.example/x',
    `https://push.example/${'x'.repeat(2000)}`,
  ]) {
    expect(await refused({ endpoint }), endpoint).toMatchObject({ code: 'invalid-request' })
  }
  const endpoint = 'https://push.example/x'
  const keys = { ...subscription.keys, p256dh: `B${'A'.repeat(86)}` }
  expect(await refused({ endpoint, keys })).toMatchObject({ code: 'invalid-request' })
  await world.browser().call(subscribePush, {
    body: { subscription: { ...subscription, endpoint }, topics: ['x'] },
  })

  await using off = await aWorld().withSettings({ PUSH_HOSTS: 'none' })
  const call = off.browser().call(subscribePush, {
    body: { subscription: { ...subscription, endpoint }, topics: ['x'] },
  })
  expect(await refusal(call)).toMatchObject({ code: 'invalid-request' })
})

test('9 subscriptions per network are limited, and existing ones can still be renewed', async () => {
  await using world = await aWorld().withSettings({ PUSH_HOSTS: 'public' })
  const browser = world.browser()
  const at = (path: string) => {
    const { subscription } = aBrowser('push.example')
    const renewed = { ...subscription, endpoint: `https://push.example/${path}` }
    return browser.call(subscribePush, { body: { subscription: renewed, topics: ['x'] } })
  }
  for (let each = 0; each < PUSH_SUBSCRIPTIONS_PER_NETWORK; each += 1) await at(`${each}`)
  expect(await refusal(at('more'))).toMatchObject({ code: 'too-many-requests' })
  await at('0')
  world.clock.pass(PUSH_LIFETIME_MS + 1)
  await at('more')
})

test('9 concurrent subscriptions from one network cannot exceed its limit', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withSettings({ PUSH_HOSTS: 'public' })
  const browser = world.browser()
  const subscribe = () => {
    const { subscription } = aBrowser('push.example')
    const endpoint = `https://push.example/${randomUUID()}`
    return browser.call(subscribePush, {
      body: { subscription: { ...subscription, endpoint }, topics: ['x'] },
    })
  }
  const [room, racers] = [3, 12]
  for (let each = 0; each < PUSH_SUBSCRIPTIONS_PER_NETWORK - room; each += 1) await subscribe()
  const calls = Array.from({ length: racers }, subscribe)
  expect(await outcomes(calls)).toEqual({ answered: room, 'too-many-requests': racers - room })
})

test('9 a page with many requests notifies a wallet a few times a minute', async () => {
  using service = await aPushService()
  await using world = await aWorld().withSettings({ PUSH_HOSTS: service.host })
  const { subscription } = aBrowser(service.host)
  const other = aBrowser(service.host)
  const [topic, last] = [randomUUID(), randomUUID()]
  const browser = world.browser()
  await browser.call(subscribePush, { body: { subscription, topics: [topic] } })
  await browser.call(subscribePush, { body: { subscription: other.subscription, topics: [last] } })
  using page = await relayClient(world.url)
  for (let each = 0; each < 50; each += 1) page.publish(topic, 'x', false)
  page.publish(last, 'x', false)
  await vi.waitFor(() => expect(service.received.at(-1)?.path).toBe(other.path), WAITS)
  expect(service.received).toHaveLength(7)
})

test('10 the key of notifications survives a restart and is the same on every node', {
  tags: 'database',
}, async () => {
  await using world = await aWorld().withNodes(ON_REDIS ? 2 : 1)
  const keys = await Promise.all(
    world.nodes.map((node) => world.browser({ node: () => node }).call(readPushKey, {})),
  )
  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
  expect(await world.query('select id from vapid_keys')).toEqual([{ id: 'vapid' }])
  const stored = JSON.stringify(await world.query('select * from vapid_keys'))
  expect(stored).not.toContain('PRIVATE KEY')
})
