import type { Banner } from '@portico/contracts/banner'
import { afterEach, expect, test, vi } from 'vitest'
import { memoryStorage, neverAborted } from '../testing.tsx'
import { readBanners, saveDismissal } from './read-banners.ts'

const KEY = 'dismissed-banners'
const URL = 'https://storage.lender.example/public/banners.json'

const banner = (changes: Partial<Banner> = {}): Banner => ({
  uuid: 'one',
  message: 'Closed on Monday',
  apps: ['login'],
  variant: 'info',
  active: true,
  dismissable: true,
  metadata: { createdAt: 10, updatedAt: 10 },
  ...changes,
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function world(answer: Response | Error, storage = memoryStorage()) {
  const requests: { url: unknown; init: RequestInit | undefined }[] = []
  vi.stubGlobal('fetch', async (url: unknown, init?: RequestInit) => {
    requests.push({ url, init })
    init?.signal?.throwIfAborted()
    if (answer instanceof Error) throw answer
    return answer
  })
  const read = (signal = neverAborted) => readBanners(URL, { storage, signal })
  return { requests, read }
}

const file = (...given: readonly unknown[]) => new Response(JSON.stringify(given))

test('7.7 the file is fetched without cache, abortable, and without token or trace headers', async () => {
  const { read, requests } = world(file(banner()))
  expect(await read()).toMatchObject({ banners: [{ uuid: 'one' }] })
  expect(requests).toEqual([
    { url: URL, init: { cache: 'no-cache', signal: expect.any(AbortSignal) } },
  ])

  const left = new AbortController()
  left.abort()
  const { read: readLate, requests: lateRequests } = world(file())
  await readLate(left.signal)
  expect(lateRequests[0]?.init?.signal?.aborted).toBe(true)
})

test.each([
  [
    'a 403 with a body',
    new Response('<Error>AccessDenied</Error>', { status: 403 }),
    '<Error>AccessDenied</Error>',
  ],
  ['a 404 without a body', new Response('', { status: 404 }), 'Error fetching'],
  ['a missing response', new TypeError('Failed to fetch'), 'Failed to fetch'],
])(
  '8 banner fetch failure: the error of %s is the response body or the message',
  async (_, answer, error) => {
    const { read } = world(answer)
    expect(await read()).toEqual({ error })
  },
)

test.each([
  ['is not JSON', '<html>'],
  ['is empty', ''],
  ['is not a list', '{"banners":[]}'],
  ['has one bad item', JSON.stringify([banner(), { uuid: 'two' }])],
])("8 a file that %s: 'Banner data does not match the expected format'", async (_, text) => {
  const storage = memoryStorage({ [KEY]: '{"one":{"at":20}}' })
  const { read } = world(new Response(text), storage)
  expect(await read()).toEqual({ error: 'Banner data does not match the expected format' })
  expect(storage.read(KEY)).toBe('{"one":{"at":20}}')
})

test('4.3 on loading, dismissals of updated and removed banners are dropped', async () => {
  const storage = memoryStorage({
    [KEY]: '{"one":{"at":20},"updated":{"at":20},"gone":{"at":20}}',
  })
  const updated = banner({ uuid: 'updated', metadata: { createdAt: 1, updatedAt: 21 } })
  const { read } = world(file(banner(), updated), storage)
  expect(await read()).toMatchObject({ dismissals: { one: { at: 20 } } })
  expect(storage.read(KEY)).toBe('{"one":{"at":20}}')
})

test('3 a corrupt map counts as no dismissals, and is replaced', async () => {
  const storage = memoryStorage({ [KEY]: '{{{' })
  const { read } = world(file(banner()), storage)
  expect(await read()).toMatchObject({ dismissals: {} })
  expect(storage.read(KEY)).toBeUndefined()
})

test('4.3 a dismissal is merged with those stored by other tabs', async () => {
  const storage = memoryStorage()
  await world(file(banner()), storage).read()
  storage.write(KEY, '{"other":{"at":1}}')
  saveDismissal(storage, { one: { at: 20 } })
  expect(JSON.parse(storage.read(KEY) ?? '')).toEqual({ other: { at: 1 }, one: { at: 20 } })
})
