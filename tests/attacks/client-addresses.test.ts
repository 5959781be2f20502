import { once } from 'node:events'
import { connect } from 'node:net'
import { register } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { aWorld, newPerson, refusal } from '../support/world.ts'
import { plainClient } from './support/plain-client.ts'

/** Allowed expensive calls per network in ten minutes. */
const ANSWERED = 300
const REGISTER = '/identity/api/v1/registration/register'

type World = Awaited<ReturnType<typeof aWorld>>
type Headers = Readonly<Record<string, string>>

/** Starts a registration with forwarding headers; returns the status. */
async function begin(world: World, headers: Headers): Promise<number> {
  using client = plainClient(world.url)
  const { status } = await client.send('POST', REGISTER, { email: newPerson().email }, headers)
  return status
}

/** Uses up a network's limit with a different claimed address each time. */
async function useUp(world: World, headersOf: (each: number) => Headers): Promise<void> {
  using client = plainClient(world.url)
  const { email } = newPerson()
  for (let each = 0; each < ANSWERED; each += 1) {
    const { status } = await client.send('POST', REGISTER, { email }, headersOf(each))
    expect(status, `${each}`).toBe(200)
  }
}

/** The networks in the stored events. */
async function networks(world: World): Promise<readonly unknown[]> {
  const rows = await world.query('select distinct network from audit_events order by network')
  return rows.map(({ network }) => network)
}

test('client addresses: forged headers have no effect without a trusted proxy', async () => {
  await using world = await aWorld()
  const claims: ((each: number) => Headers)[] = [
    (each) => ({ 'x-forwarded-for': `203.0.113.${each % 250}` }),
    (each) => ({ 'x-forwarded-for': `2001:db8::${each}, 127.0.0.1` }),
    (each) => ({ forwarded: `for=203.0.113.${each % 250};proto=https` }),
    (each) => ({ 'x-real-ip': `203.0.113.${each % 250}` }),
    (each) => ({ 'client-ip': `203.0.113.${each % 250}`, 'true-client-ip': `198.51.100.${each}` }),
    (each) => ({ 'cf-connecting-ip': `203.0.113.${each % 250}`, via: `1.1 proxy${each}` }),
  ]
  await useUp(world, (each) => claims[each % claims.length]?.(each) ?? {})
  for (const claim of claims) expect(await begin(world, claim(251))).toBe(429)
  expect(await networks(world)).toEqual(['127.0.0.1'])
})

test('client addresses: a client’s claims before a trusted proxy’s entry are ignored', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' })
  // Each proxy appends its client's address; everything before it is the client's unverified claim.
  const stranger = (claimed: string) => ({
    'x-forwarded-for': `${claimed}, 198.51.100.7, 10.0.0.3`,
    forwarded: `for=${claimed}`,
    'x-real-ip': claimed,
  })
  await useUp(world, (each) => stranger(`203.0.113.${each % 250}`))
  for (const claimed of ['203.0.113.251', '127.0.0.1', '10.0.0.1', '::1', 'unknown', '']) {
    expect(await begin(world, stranger(claimed)), claimed).toBe(429)
  }
  expect(await begin(world, { 'x-forwarded-for': '198.51.100.8' })).toBe(200)
  expect(await networks(world)).toEqual(['198.51.100.7', '198.51.100.8'])
})

test('client addresses: an IPv6 address is counted by its /64, however it is written', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  await useUp(world, (each) => ({
    'x-forwarded-for': `2001:db8:7:8:${each.toString(16)}:${each}::${each}`,
  }))
  for (const same of ['2001:DB8:7:8::', '2001:0db8:0007:0008:ffff:ffff:ffff:ffff']) {
    expect(await begin(world, { 'x-forwarded-for': same }), same).toBe(429)
  }
  expect(await begin(world, { 'x-forwarded-for': '2001:db8:7:9::' })).toBe(200)
  expect(await networks(world)).toEqual(['2001:db8:7:8::/64', '2001:db8:7:9::/64'])
})

test('client addresses: an IPv4 address counts as one, even IPv4-mapped or with a port', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const spellings = [
    (each: number) => `203.0.113.9:${1024 + each}`,
    () => '::ffff:203.0.113.9',
    () => '::ffff:cb00:7109',
    () => '0:0:0:0:0:ffff:203.0.113.9',
    () => '203.0.113.9',
  ]
  await useUp(world, (each) => ({
    'x-forwarded-for': spellings[each % spellings.length]?.(each) ?? '',
  }))
  for (const spelling of spellings) {
    expect(await begin(world, { 'x-forwarded-for': spelling(400) }), spelling(400)).toBe(429)
  }
  expect(await networks(world)).toEqual(['203.0.113.9'])
})

test('client addresses: an IPv6 address with a port is the address', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  for (const each of ['[2001:db8:7:8::1]:443', '[2001:db8:7:8::2]:51000', '[2001:db8:7:8::3]']) {
    expect(await begin(world, { 'x-forwarded-for': each })).toBe(200)
  }
  expect(await networks(world)).toEqual(['2001:db8:7:8::/64'])
})

test('client addresses: an invalid address counts as the proxy that forwarded it', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  await useUp(world, (each) => ({ 'x-forwarded-for': `nonsense-${each}` }))
  for (const nonsense of ['unknown', '_hidden', 'x'.repeat(8000), '999.1.1.1', '<script>']) {
    expect(await begin(world, { 'x-forwarded-for': nonsense }), nonsense.slice(0, 20)).toBe(429)
  }
  expect(await networks(world)).toEqual(['127.0.0.1'])
})

test('client addresses: a forwarded host or scheme is accepted only from a trusted proxy', async () => {
  const owner = newPerson('owner')
  await using world = await aWorld().withCustomer(owner)
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
  }
  const browser = world.browser({ headers: forged })
  await browser.signIn(owner)
  expect(await browser.call(register, { body: { email: owner.email } })).toBeDefined()
  // Over https the cookie would have another name.
  expect([...browser.cookies.keys()].some((name) => name.startsWith('__Host-'))).toBe(false)
  for (const { html, text } of await world.mail(owner.email)) {
    expect(`${html}${text}`).not.toContain('evil.example')
  }
  const evil = world.browser({ headers: { ...forged, origin: 'https://evil.example' } })
  const posted = await evil.fetch(REGISTER, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify({ email: owner.email }),
  })
  expect(posted.status).toBe(403)
  expect((await refusal(evil.signIn({ ...owner, password: 'x' }))).status).toBe(400)
})

/** Data sent before a reset: nothing, a part, a page, a call, an upgrade, garbage. */
const REQUESTS = [
  '',
  'GET /hea',
  'GET /auth/login HTTP/1.1\r\nHost: localhost\r\n\r\n',
  `POST ${REGISTER} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
  'GET /service-wallet-connect-bridge/ws/external HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  '\0\0\r\n\r\n',
]

test('10 A7 behind a trusted proxy, connections that are reset at once leave nothing in the log', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' }).withLog('info')
  const before = world.log.length
  const { port } = new URL(world.url)
  const resets = Array.from({ length: 600 }, async (_, index) => {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(REQUESTS[index % REQUESTS.length] ?? '')
    // Some are reset before the server has read anything, some while it reads or responds.
    for (let turn = 0; turn < index % 5; turn += 1) await new Promise(setImmediate)
    socket.resetAndDestroy()
  })
  await Promise.all(resets)
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  const lines = world.log.slice(before)
  expect(
    lines.filter((line) => JSON.parse(line).level !== 'info' || line.includes('stack')),
  ).toEqual([])
})
