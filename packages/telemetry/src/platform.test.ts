import { expect, test, vi } from 'vitest'
import { browserPlatform } from './platform.ts'
import { memoryKeyedStorage } from './testing.ts'

/** A window of which only the locks are used. */
const platformWith = (locks: object | undefined) =>
  browserPlatform(
    { navigator: locks === undefined ? {} : { locks } } as unknown as Window,
    memoryKeyedStorage(),
    { organization: 'FIGURE' },
  )

const refused = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))

test.each([
  ['has no locks', undefined],
  ['refuses locks, because storage is blocked', { request: refused }],
])('7.8 a browser that %s sends events without a lock', async (_, locks) => {
  let worked = 0
  await platformWith(locks).exclusively(async () => {
    worked += 1
  })
  expect(worked).toBe(1)
})

test('7.8 work that fails under its lock is not repeated', async () => {
  let worked = 0
  const locks = { request: (_name: string, work: () => Promise<void>) => work() }
  const done = platformWith(locks).exclusively(async () => {
    worked += 1
    throw new Error('It failed')
  })
  await expect(done).rejects.toThrow('It failed')
  expect(worked).toBe(1)
})

test('7.8 a request outlives the page (keepalive), and carries no token', async () => {
  const requests = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({}))
  await platformWith(undefined).post(
    '/ft/external/event',
    { event: 'register' },
    { expect: 'nothing' },
  )
  const [url, init] = requests.mock.calls[0] ?? []
  requests.mockRestore()
  expect(url).toBe('/ft/external/event')
  expect(init).toMatchObject({ method: 'POST', body: '{"event":"register"}', keepalive: true })
  expect(new Headers(init?.headers).has('authorization')).toBe(false)
})
