import { expect, test } from 'vitest'
import { EVENT_AGE_MS, MAX_PAUSE_MS, startEngine } from './engine.ts'
import { MAX_EVENTS } from './telemetry-storage.ts'
import {
  fakePlatform,
  memoryKeyedStorage,
  refused,
  UNREACHABLE,
  uuid,
  workingServer,
} from './testing.ts'

const SETTINGS = { context: 'internal', appVersion: '0.1.0', organization: 'FIGURE' } as const
const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

/** An engine on a fake platform, and pages that are viewed in it. */
function anEngine(parts: Parameters<typeof fakePlatform>[0] = {}) {
  const fake = fakePlatform(parts)
  const engine = startEngine(fake.platform, SETTINGS)
  const view = (pagePath: string, search = '') =>
    engine.track({ event: 'page_view', eventType: 'PAGE_VIEW', pagePath, search, dontDedupe: true })
  return { ...fake, engine, view, storedKeys: () => fake.platform.storage.keys() }
}

test('3 an event has the specified payload, masked, and survives the page', async () => {
  const { engine, requests } = anEngine()
  engine.track({
    event: 'register',
    eventType: 'ACTION',
    pagePath: '/auth/register/ada@people.example',
    search: '?email=ada@people.example&label=apollo',
    eventProperties: { method: 'passcode', note: 'ada@people.example' },
    dedupeProperty: 'method',
  })
  await engine.flush()
  expect(requests.map(({ path }) => path)).toEqual(['/ft/internal/session', '/ft/internal/event'])
  expect(requests[1]).toMatchObject({ headers: { 'idempotency-key': uuid(1) } })
  expect(requests[1]?.body).toEqual({
    domain: 'login.lender.example',
    queryParams: { email: '*', label: 'apollo' },
    pagePath: '/auth/register/*',
    event: 'register',
    eventType: 'ACTION',
    eventProperties: { method: 'passcode', note: '*' },
    dedupeProperty: 'method',
    sessionKey: { uuid: uuid(1), epoch: 1_800_000_000_000, trackerUuid: uuid(0) },
  })
  expect(engine.trackingId()).toBe(uuid(1))
})

test('7.8 events are sent in order, one at a time, and removed from the queue', async () => {
  const { engine, view, sent, storedKeys } = anEngine()
  for (const path of ['/one', '/two', '/three']) view(path)
  await engine.flush()
  expect(sent()).toEqual(['/one', '/two', '/three'])
  expect(storedKeys()).toEqual(['portico-telemetry'])
})

test('7.8 an offline event is sent when the network is back, with the session it occurred in', async () => {
  const { engine, view, sent, state, comeBack, requests } = anEngine()
  view('/before')
  await engine.flush()
  state.online = false
  view('/offline')
  await engine.flush()
  expect(sent()).toEqual(['/before'])
  state.now += 2 * 60 * 60 * 1000
  state.online = true
  comeBack()
  await settled()
  expect(sent()).toEqual(['/before', '/offline'])
  expect(requests.at(-1)?.body.sessionKey).toMatchObject({ uuid: uuid(1) })
})

test('7.8 events a page could not send are sent by the next one, with the same ID', async () => {
  const storage = memoryKeyedStorage()
  const first = anEngine({ storage, answer: () => new Promise(() => undefined) })
  first.view('/one')
  await settled()
  const second = anEngine({ storage })
  await second.engine.flush()
  expect(second.sent()).toEqual(['/one'])
  expect(second.requests.at(-1)?.headers).toEqual({ 'idempotency-key': uuid(1) })
})

test('7.8 leaving the page sends queued events, and acknowledged ones are not sent again', async () => {
  const stuck = { until: Promise.resolve() }
  const { engine, view, sent, state, leave, storedKeys } = anEngine()
  view('/one')
  await engine.flush()
  let release = () => undefined as void
  stuck.until = new Promise((resolve) => {
    release = resolve
  })
  state.answer = () => stuck.until
  for (const path of ['/two', '/three', '/four']) view(path)
  await settled()
  expect(sent()).toEqual(['/one', '/two'])
  leave()
  leave()
  expect(sent()).toEqual(['/one', '/two', '/three', '/four'])
  release()
  await engine.flush()
  await settled()
  expect(sent()).toEqual(['/one', '/two', '/three', '/four'])
  expect(storedKeys()).toEqual(['portico-telemetry'])
})

test('8 an unavailable server gets fewer and fewer requests', async () => {
  const { engine, view, requests, waits, state } = anEngine()
  view('/one')
  await engine.flush()
  const before = requests.length
  state.answer = async () => Promise.reject(UNREACHABLE)
  view('/two')
  await engine.flush()
  for (let round = 0; round < 14; round += 1) {
    view('/three')
    await engine.flush()
    expect(requests).toHaveLength(before + 1 + round)
    waits.at(-1)?.end()
    await settled()
  }
  const pauses = waits.map(({ milliseconds }) => milliseconds)
  expect(pauses.slice(0, 3)).toEqual([3750, 7500, 15_000])
  expect(Math.max(...pauses)).toBe(MAX_PAUSE_MS)

  state.answer = workingServer()
  waits.at(-1)?.end()
  await settled()
  expect(requests.slice(-15).map(({ body }) => body.pagePath)).toEqual([
    '/two',
    ...Array<string>(14).fill('/three'),
  ])
})

test('5 a page makes at most three attempts to get a session; the next page sends its events', async () => {
  const storage = memoryKeyedStorage()
  const down = async () => Promise.reject(UNREACHABLE)
  const { engine, view, requests, waits } = anEngine({ storage, answer: down })
  view('/one')
  for (const _ of [1, 2]) {
    await settled()
    waits.at(-1)?.end()
  }
  await engine.flush()
  view('/two')
  await engine.flush()
  expect(requests).toHaveLength(3)

  const next = anEngine({ storage })
  await next.engine.flush()
  expect(next.sent()).toEqual(['/one', '/two'])
  expect(storage.keys()).toEqual(['portico-telemetry'])
})

test('7.8 the queue is bounded in number and age; the oldest events go first', async () => {
  const { engine, view, sent, state, comeBack } = anEngine()
  state.online = false
  view('/old')
  state.now += EVENT_AGE_MS
  for (let index = 0; index <= MAX_EVENTS; index += 1) view(index === 0 ? '/first' : '/next')
  state.online = true
  comeBack()
  await engine.flush()
  expect(sent()).toEqual(Array<string>(MAX_EVENTS).fill('/next'))
})

test.each(['rubbish', 'null', '[]', '{"queue":[1,null,{"id":"x"}]}'])(
  'an invalid queue, %s, is replaced',
  async (text) => {
    const storage = memoryKeyedStorage({ 'portico-telemetry.queue': text })
    const { engine, view, sent } = anEngine({ storage })
    view('/one')
    await engine.flush()
    expect(sent()).toEqual(['/one'])
    expect(storage.keys()).toEqual(['portico-telemetry'])
  },
)

test('8 a request aborted by unloading is not a server failure', async () => {
  const storage = memoryKeyedStorage()
  let abort = () => undefined as void
  const { view, leave } = anEngine({
    storage,
    answer: () =>
      new Promise((_, reject) => {
        abort = () => reject(UNREACHABLE)
      }),
  })
  view('/one')
  await settled()
  leave()
  abort()
  await settled()
  expect(storage.keys()).toEqual(['portico-telemetry.queue'])
})

test('8 too many requests: nothing is sent until Retry-After has passed', async () => {
  const { engine, view, state, waits, sent } = anEngine()
  view('/one')
  await engine.flush()
  state.answer = async () => Promise.reject(refused('too-many-requests', { 'retry-after': '60' }))
  view('/two')
  await engine.flush()
  await settled()
  expect(waits.at(-1)?.milliseconds).toBe(60_000)
  expect(sent()).toEqual(['/one', '/two'])
})

test('8 a rejected event is dropped, and the others are sent', async () => {
  const served = workingServer()
  const { engine, view, sent, storedKeys } = anEngine({
    answer: async (path, body) =>
      (body as { pagePath?: string }).pagePath === '/bad'
        ? Promise.reject(refused('invalid-request'))
        : served(path, body),
  })
  for (const path of ['/bad', '/good']) view(path)
  await engine.flush()
  expect(sent()).toEqual(['/bad', '/good'])
  expect(storedKeys()).toEqual(['portico-telemetry'])
})

test('8 a session unknown to the server is replaced, but only a few times', async () => {
  const served = workingServer()
  let unknownSessions = 1
  const { engine, view, state, requests, sent } = anEngine({
    answer: async (path, body) => {
      if (path.endsWith('/session') || unknownSessions === 0) return served(path, body)
      unknownSessions -= 1
      throw refused('telemetry-session-unknown')
    },
  })
  view('/one')
  await engine.flush()
  expect(sent()).toEqual(['/one', '/one'])
  expect(requests.at(-1)?.body.sessionKey).toMatchObject({ uuid: uuid(2) })

  unknownSessions = Number.POSITIVE_INFINITY
  const before = requests.length
  view('/two')
  await engine.flush()
  expect(requests.length - before).toBeLessThan(8)
  expect(state.online).toBe(true)
})

test('if the server refuses tracking, stored data is removed and nothing more is collected', async () => {
  const { engine, view, requests, storedKeys } = anEngine({
    answer: async () => Promise.reject(refused('tracking-refused')),
  })
  view('/one')
  await engine.flush()
  view('/two')
  await engine.flush()
  expect(requests).toHaveLength(1)
  expect(storedKeys()).toEqual([])
  expect(engine.trackingId()).toBeUndefined()
})

test('5 tabs that start at the same time share one session and send each event once', async () => {
  const storage = memoryKeyedStorage()
  let queue = Promise.resolve()
  const exclusively = (work: () => Promise<void>) => {
    queue = queue.then(work)
    return queue
  }
  const answer = workingServer()
  const tabs = ['a', 'b', 'c'].map((tab, index) => {
    const engine = anEngine({ storage, exclusively, answer })
    engine.state.ids = index * 100
    engine.view(`/${tab}`)
    return engine
  })
  await Promise.all(tabs.map(({ engine }) => engine.flush()))
  const requests = tabs.flatMap((tab) => tab.requests)
  expect(requests.filter(({ path }) => path.endsWith('/session'))).toHaveLength(1)
  expect(new Set(tabs.flatMap((tab) => tab.sent()))).toEqual(new Set(['/a', '/b', '/c']))
  expect(requests).toHaveLength(4)
})
