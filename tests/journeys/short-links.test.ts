import { clickableLink, dynamicLink, MOBILE_APPS } from '@portico/wallet-connect/protocol'
import { expect, test } from 'vitest'
import { aWorld } from '../support/world.ts'

const KEY = '41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a'
const URI = `wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=https%3A%2F%2Fbridge.example%2Fws&key=${KEY}&connectionDuration=86400`
const LONG = dynamicLink(URI, MOBILE_APPS.figure_mobile)
const PAGE = { origin: 'https://dapp.example', 'sec-fetch-site': 'cross-site' }
const HOUR_MS = 60 * 60 * 1000

type World = Awaited<ReturnType<typeof aWorld>>

/** Sends a raw body, optionally without a content type, which fetch cannot do. */
function post(world: World, body: string, headers: Record<string, string> = {}) {
  return fetch(`${world.url}/links?key=whatever`, {
    method: 'POST',
    body: new TextEncoder().encode(body),
    headers,
  })
}

async function shortened(world: World, longDynamicLink = LONG): Promise<string> {
  const response = await post(world, JSON.stringify({ longDynamicLink }), PAGE)
  return ((await response.json()) as { shortLink: string }).shortLink
}

test('7.4 a page of another origin can shorten a link, with any content type', async () => {
  await using world = await aWorld()
  for (const type of [undefined, 'text/plain;charset=UTF-8', 'application/json']) {
    const response = await post(world, JSON.stringify({ longDynamicLink: LONG }), {
      ...PAGE,
      ...(type === undefined ? {} : { 'content-type': type }),
    })
    expect(response.status, type).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await response.json()).toEqual({
      shortLink: expect.stringMatching(new RegExp(`^${world.origin}/links/[\\w-]{43}$`)),
    })
  }
})

test('7.4 a short link opens the mobile wallet with the connection any number of times for an hour', async () => {
  await using world = await aWorld()
  for (const link of [LONG, clickableLink(LONG, MOBILE_APPS.figure_mobile_test)]) {
    const shortLink = await shortened(world, link)
    for (const _ of [1, 2]) {
      const response = await fetch(shortLink, { redirect: 'manual' })
      expect(response.status).toBe(302)
      expect(response.headers.get('location')).toBe(
        `/mobile-wallet?data=${encodeURIComponent(URI)}`,
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    }
  }
  const shortLink = await shortened(world)
  world.clock.pass(HOUR_MS)
  expect((await fetch(shortLink, { redirect: 'manual' })).status).toBe(404)
})

test('7.4 no short link leads anywhere else', async () => {
  await using world = await aWorld()
  for (const longDynamicLink of [
    'https://evil.example/',
    'javascript:alert(1)',
    `https://evil.example/mobile-wallet?data=${encodeURIComponent(URI)}`,
    `${world.origin}/mobile-wallet?data=https%3A%2F%2Fevil.example`,
    '',
    'x'.repeat(9000),
  ]) {
    const response = await post(world, JSON.stringify({ longDynamicLink }), PAGE)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      400,
      'invalid-request',
    ])
  }
  for (const id of ['x', 'A'.repeat(43), '..%2f..', '%00', 'x'.repeat(199)]) {
    const response = await fetch(`${world.url}/links/${id}`, { redirect: 'manual' })
    expect(response.status, id).toBe(404)
  }
})

test('3 an invalid JSON body is refused under every accepted content type, and other types are refused', async () => {
  await using world = await aWorld()
  const json = JSON.stringify({ longDynamicLink: LONG })
  for (const type of [undefined, 'text/plain', 'application/json']) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
    for (const body of [
      '{',
      'null',
      '[]',
      '7',
      '{}',
      json.replace('{', '{"extra":1,'),
      json.replace('{', '{"__proto__":{"admin":true},'),
      '['.repeat(50_000),
    ]) {
      const response = await post(world, body, headers)
      expect(response.status, `${type} ${body.slice(0, 40)}`).toBe(400)
    }
    expect((await post(world, 'x'.repeat(70_000), headers)).status).toBe(413)
  }
  for (const type of [
    'text/html',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ]) {
    expect((await post(world, json, { 'content-type': type })).status, type).toBe(415)
  }
})

test('5 neither the link nor its key is in the database or the log', async () => {
  await using world = await aWorld().withLog('trace')
  const shortLink = await shortened(world)
  await fetch(shortLink, { redirect: 'manual' })
  const rows = JSON.stringify(await world.query('select * from short_links'))
  const id = shortLink.split('/').at(-1) ?? ''
  for (const secret of [id, KEY, 'bridge.example']) {
    expect(rows).not.toContain(secret)
    expect(world.log.join('')).not.toContain(secret)
  }
})

test('8 links are limited per network; others are not affected', async () => {
  await using world = await aWorld().withSettings({ TRUSTED_PROXIES: '127.0.0.1' })
  const body = JSON.stringify({ longDynamicLink: LONG })
  const from = (address: string) => post(world, body, { ...PAGE, 'x-forwarded-for': address })
  for (let each = 0; each < 300; each += 1) expect((await from('203.0.113.1')).status).toBe(200)
  const refused = await from('203.0.113.1')
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([429, '*'])
  expect((await from('203.0.113.2')).status).toBe(200)
})
