import { TELEMETRY_LIBRARY_VERSION } from '@portico/contracts/telemetry-wire'
import { expect, test } from 'vitest'
import { SESSION_AGE_MS, SESSION_REST_MS, telemetrySession } from './session.ts'
import {
  fakePlatform,
  memoryKeyedStorage,
  refused,
  UNREACHABLE,
  uuid,
  workingServer,
} from './testing.ts'

const SETTINGS = { context: 'external', appVersion: '0.1.0', organization: 'FIGURE' } as const
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A session on a fake platform. */
function aSession(parts: Parameters<typeof fakePlatform>[0] = {}) {
  const fake = fakePlatform(parts)
  return { ...fake, session: telemetrySession(fake.platform, SETTINGS) }
}

test('3 a session is requested with the specified payload, masked', async () => {
  const place = {
    search: '?flow=new-user&email=ada@people.example&who=ada',
    referrer: 'https://partner.example/ada?jwt=1',
  }
  const { session, requests } = aSession({ place })
  const sessionKey = await session.key()
  expect(sessionKey).toEqual({ uuid: uuid(1), epoch: 1_800_000_000_000, trackerUuid: uuid(0) })
  expect(requests).toEqual([
    {
      path: '/ft/external/session',
      headers: {},
      body: {
        platform: 'WEB',
        libVersion: TELEMETRY_LIBRARY_VERSION,
        referrer: 'https://partner.example',
        queryParams: { flow: 'new-user', email: '*' },
        screenWidth: 1440,
        screenHeight: 900,
        windowWidth: 1200,
        windowHeight: 800,
        appVersion: '0.1.0',
      },
    },
  ])
  expect(TELEMETRY_LIBRARY_VERSION).toBe('2.2.24')
})

test('5 concurrent callers request one session, and later callers reuse it', async () => {
  const { session, requests } = aSession()
  const keys = await Promise.all([session.key(), session.key(), session.key()])
  expect(new Set(keys.map((key) => key.uuid))).toEqual(new Set([uuid(1)]))
  await session.key()
  expect(requests).toHaveLength(1)
})

test('5 another page of the browser reuses the stored key while it is fresh', async () => {
  const storage = memoryKeyedStorage()
  const first = aSession({ storage })
  await first.session.key()
  const second = aSession({ storage })
  second.state.now += SESSION_REST_MS - 1
  expect((await second.session.key()).uuid).toBe(uuid(1))
  second.session.use()
  second.state.now += SESSION_REST_MS - 1
  expect(second.session.current()?.uuid).toBe(uuid(1))
  second.state.now += 1
  expect(second.session.current()).toBeUndefined()
  second.state.answer = async () => ({
    sessionKey: { uuid: uuid(9), epoch: second.state.now, trackerUuid: uuid(0) },
  })
  expect((await second.session.key()).uuid).toBe(uuid(9))
  expect(second.requests[0]?.body).toMatchObject({ sessionKey: { uuid: uuid(1) } })
})

test('3 a session ends at its maximum age, even if active', async () => {
  const { session, state } = aSession()
  await session.key()
  for (let minutes = 0; minutes < SESSION_AGE_MS / 60_000; minutes += 20) {
    expect(session.current()).toBeDefined()
    state.now += 20 * 60_000
    session.use()
  }
  expect(session.current()).toBeUndefined()
})

test('5, 8 a session is requested up to three times, with random delays', async () => {
  const { session, requests, waits } = aSession({ answer: async () => Promise.reject(UNREACHABLE) })
  const failure = session.key().catch((error: unknown) => error)
  const expected = {
    code: 'session-retries-failed',
    status: 500,
    message: 'An error occurred while establishing a session, retries failed.',
    cause: { code: 'session-not-established', message: 'Could not establish session.' },
  }
  for (const count of [1, 2]) {
    await settled()
    expect(requests).toHaveLength(count)
    waits.at(-1)?.end()
  }
  expect(await failure).toMatchObject(expected)
  expect(requests).toHaveLength(3)
  expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([1500, 3000])
})

test('5 the second or third attempt may succeed', async () => {
  let tries = 0
  const served = workingServer()
  const { session, waits } = aSession({
    answer: async (path, body) =>
      (tries += 1) < 3 ? Promise.reject(UNREACHABLE) : served(path, body),
  })
  const key = session.key()
  for (const _ of [1, 2]) {
    await settled()
    waits.at(-1)?.end()
  }
  expect((await key).uuid).toBe(uuid(1))
})

test('5, 8 a response without a session key is an error', async () => {
  for (const answer of [undefined, null, 'text', {}, { sessionKey: { uuid: uuid(1) } }]) {
    const { session, waits } = aSession({ answer: async () => answer })
    const failure = session.key().catch((error: unknown) => error)
    for (const _ of [1, 2]) {
      await settled()
      waits.at(-1)?.end()
    }
    expect(await failure).toMatchObject({ code: 'session-retries-failed' })
    expect(session.current()).toBeUndefined()
  }
})

test('8 a permanent rejection is not retried', async () => {
  for (const code of ['tracking-refused', 'too-many-requests', 'not-found'] as const) {
    const { session, requests } = aSession({ answer: async () => Promise.reject(refused(code)) })
    await expect(session.key()).rejects.toMatchObject({
      code: 'session-not-established',
      message: 'Could not establish session.',
    })
    expect(requests).toHaveLength(1)
  }
})

test.each([
  'rubbish',
  '{}',
  'null',
  '{"sessionKey":{"uuid":"x"},"usedAt":1}',
  JSON.stringify({
    sessionKey: { uuid: uuid(1), epoch: 4_000_000_000_000, trackerUuid: uuid(0) },
    usedAt: 4_000_000_000_000,
  }),
])('an invalid or outdated stored key, %s, is replaced', async (text) => {
  const { session, requests } = aSession({
    storage: memoryKeyedStorage({ 'portico-telemetry': text }),
  })
  expect(session.current()).toBeUndefined()
  await session.key()
  expect(requests).toHaveLength(1)
})
