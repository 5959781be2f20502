import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { type Tracker, trackers } from './tracker.ts'

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const ours = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

let close = async (): Promise<unknown> => undefined
afterEach(() => close())

/** Asks a server twice during one request, and gives what it was told and what the browser shall keep. */
async function visit(
  headers: Readonly<Record<string, string>>,
  deps: Partial<Parameters<typeof trackers>[0]> = {},
): Promise<{ told: (Tracker | undefined)[]; kept: string[] }> {
  const app = fastify()
  close = () => app.close()
  const trackerOf = trackers({ consent: 'implied', publicUrl: undefined, ...deps })
  let told: (Tracker | undefined)[] = []
  app.get('/', async (request, reply) => {
    told = [trackerOf(request, reply), trackerOf(request, reply)]
    return ''
  })
  const answer = await app.inject({ url: '/', headers })
  return { told, kept: [answer.headers['set-cookie'] ?? []].flat() }
}

test('7.8 a new visitor gets a tracker for a year, once per request', async () => {
  const { told, kept } = await visit({})
  expect(told[0]).toEqual({ uuid: expect.stringMatching(ours), fresh: true })
  expect(told[1]).toEqual(told[0])
  expect(kept).toEqual([
    `portico-tracker=${told[0]?.uuid}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000`,
  ])
})

test('7.8 a known visitor keeps it', async () => {
  const { told, kept } = await visit({ cookie: `portico-tracker=${UUID}` })
  expect(told[0]).toEqual({ uuid: UUID, fresh: false })
  expect(kept).toEqual([])
})

test('9 over https the cookie is bound to the host, and an unbound one is nobody’s', async () => {
  const https = { publicUrl: 'https://login.lender.example' }
  const { told, kept } = await visit({ cookie: `portico-tracker=${UUID}` }, https)
  expect(told[0]).toMatchObject({ fresh: true })
  expect(kept[0]).toMatch(/^__Host-portico-tracker=.*; Secure/)
  const known = await visit({ cookie: `__Host-portico-tracker=${UUID}` }, https)
  expect(known.told[0]).toEqual({ uuid: UUID, fresh: false })
})

test.each([
  'nonsense',
  UUID.toUpperCase(),
  `${UUID}x`,
  '00000000-0000-0000-0000-000000000000',
  `${UUID}; portico-tracker=${UUID}`,
  '%27%3B--',
])('7.8 a tracker that is none, %j, is replaced', async (forged) => {
  const { told, kept } = await visit({ cookie: `portico-tracker=${forged}` })
  expect(told[0]).toEqual({ uuid: expect.stringMatching(ours), fresh: true })
  expect(kept).toHaveLength(1)
})

/** What a browser is told that keeps no tracker any more. */
const GONE = 'portico-tracker=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'

test('Global Privacy Control: no tracker, and one that is there goes', async () => {
  const none = { told: [undefined, undefined], kept: [] }
  expect(await visit({ 'sec-gpc': '1' })).toEqual(none)
  expect(await visit({ 'sec-gpc': '1', cookie: 'portico-consent=granted' })).toEqual(none)
  const known = await visit({ 'sec-gpc': '1', cookie: `portico-tracker=${UUID}` })
  expect(known.told).toEqual(none.told)
  expect(new Set(known.kept)).toEqual(new Set([GONE]))
  expect((await visit({ 'sec-gpc': '0' })).told[0]).toMatchObject({ fresh: true })
})

test.each(['', 'portico-consent=refused', 'portico-consent=granted; portico-consent=granted'])(
  'where consent is required, %j is none',
  async (cookie) => {
    const required = { consent: 'required' } as const
    expect(await visit({ cookie }, required)).toEqual({ told: [undefined, undefined], kept: [] })
    const withdrawn = await visit({ cookie: `${cookie}; portico-tracker=${UUID}` }, required)
    expect(withdrawn.told).toEqual([undefined, undefined])
    expect(new Set(withdrawn.kept)).toEqual(new Set([GONE]))
  },
)

test('where consent is required and given, the visitor has a tracker', async () => {
  const { told } = await visit({ cookie: 'portico-consent=granted' }, { consent: 'required' })
  expect(told[0]).toMatchObject({ fresh: true })
})
