import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type Tracker, trackers } from './tracker.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const TRACKER_PATTERN = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

let close = async (): Promise<unknown> => undefined
afterEach(() => close())

/** Reads the tracker twice during one request. Returns both results and the cookies set. */
async function visit(
  headers: Readonly<Record<string, string>>,
  deps: Partial<Parameters<typeof trackers>[0]> = {},
): Promise<{ results: (Tracker | undefined)[]; cookies: string[] }> {
  const app = fastify()
  close = () => app.close()
  const trackerOf = trackers({ consent: 'implied', publicUrl: undefined, ...deps })
  let results: (Tracker | undefined)[] = []
  app.get('/', async (request, reply) => {
    results = [trackerOf(request, reply), trackerOf(request, reply)]
    return ''
  })
  const answer = await app.inject({ url: '/', headers })
  return { results, cookies: [answer.headers['set-cookie'] ?? []].flat() }
}

test('7.8 a new visitor gets a tracker for a year, once per request', async () => {
  const { results, cookies } = await visit({})
  expect(results[0]).toEqual({ uuid: expect.stringMatching(TRACKER_PATTERN), fresh: true })
  expect(results[1]).toEqual(results[0])
  expect(cookies).toEqual([
    `portico-tracker=${results[0]?.uuid}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000`,
  ])
})

test('7.8 a known visitor keeps it', async () => {
  const { results, cookies } = await visit({ cookie: `portico-tracker=${UUID}` })
  expect(results[0]).toEqual({ uuid: UUID, fresh: false })
  expect(cookies).toEqual([])
})

test('9 over https the cookie is bound to the host, and an unbound one is ignored', async () => {
  const https = { publicUrl: 'https://login.lender.example' }
  const { results, cookies } = await visit({ cookie: `portico-tracker=${UUID}` }, https)
  expect(results[0]).toMatchObject({ fresh: true })
  expect(cookies[0]).toMatch(/^__Host-portico-tracker=.*; Secure/)
  const known = await visit({ cookie: `__Host-portico-tracker=${UUID}` }, https)
  expect(known.results[0]).toEqual({ uuid: UUID, fresh: false })
})

test.each([
  'nonsense',
  UUID.toUpperCase(),
  `${UUID}x`,
  '00000000-0000-0000-0000-000000000000',
  `${UUID}; portico-tracker=${UUID}`,
  '%27%3B--',
])('7.8 an invalid tracker, %j, is replaced', async (forged) => {
  const { results, cookies } = await visit({ cookie: `portico-tracker=${forged}` })
  expect(results[0]).toEqual({ uuid: expect.stringMatching(TRACKER_PATTERN), fresh: true })
  expect(cookies).toHaveLength(1)
})

/** The cookie that deletes the tracker. */
const DELETED_COOKIE = 'portico-tracker=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'

test('Global Privacy Control: no tracker is set, and an existing one is deleted', async () => {
  const none = { results: [undefined, undefined], cookies: [] }
  expect(await visit({ 'sec-gpc': '1' })).toEqual(none)
  expect(await visit({ 'sec-gpc': '1', cookie: 'portico-consent=granted' })).toEqual(none)
  const known = await visit({ 'sec-gpc': '1', cookie: `portico-tracker=${UUID}` })
  expect(known.results).toEqual(none.results)
  expect(new Set(known.cookies)).toEqual(new Set([DELETED_COOKIE]))
  expect((await visit({ 'sec-gpc': '0' })).results[0]).toMatchObject({ fresh: true })
})

test.each(['', 'portico-consent=refused', 'portico-consent=granted; portico-consent=granted'])(
  'where consent is required, %j does not grant it',
  async (cookie) => {
    const required = { consent: 'required' } as const
    expect(await visit({ cookie }, required)).toEqual({
      results: [undefined, undefined],
      cookies: [],
    })
    const withdrawn = await visit({ cookie: `${cookie}; portico-tracker=${UUID}` }, required)
    expect(withdrawn.results).toEqual([undefined, undefined])
    expect(new Set(withdrawn.cookies)).toEqual(new Set([DELETED_COOKIE]))
  },
)

test('where consent is required and given, the visitor has a tracker', async () => {
  const { results } = await visit({ cookie: 'portico-consent=granted' }, { consent: 'required' })
  expect(results[0]).toMatchObject({ fresh: true })
})
