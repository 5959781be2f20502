import type { Banner } from '@portico/contracts/banner'
import type { TextStorage } from '@portico/contracts/text-storage'
import { moves, walk } from '@portico/flow/testing'
import { expect, test } from 'vitest'
import { memoryStorage } from '../testing.tsx'
import { banners, type Event } from './banners.flow.ts'
import { events, inputs } from './banners.samples.ts'
import { bannersServices } from './banners.services.ts'

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

function world({
  answer = new Response('[]'),
  storage = memoryStorage(),
}: {
  answer?: Response | Error
  storage?: TextStorage
} = {}) {
  const asked: { url: unknown; init: RequestInit | undefined }[] = []
  let tell: (key: string | null) => void = () => undefined
  let watching = 0
  const services = bannersServices({
    url: URL,
    fetch: async (url, init) => {
      asked.push({ url, init })
      init?.signal?.throwIfAborted()
      if (answer instanceof Error) throw answer
      return answer
    },
    storage,
    watchStorage(listener) {
      tell = listener
      watching += 1
      return () => void (watching -= 1)
    },
  })
  const read = (signal = new AbortController().signal) =>
    services.readBanners({ type: 'readBanners' }, signal) as Promise<Event>
  return {
    services,
    asked,
    storage,
    read,
    told: (key: string | null) => tell(key),
    watching: () => watching,
  }
}

const file = (...given: readonly unknown[]) => new Response(JSON.stringify(given))

test('7.7 the file is fetched without cache, abortable, and without token or trace headers', async () => {
  const { read, asked } = world({ answer: file(banner()) })
  expect(await read()).toMatchObject({ type: 'bannersRead', banners: [{ uuid: 'one' }] })
  expect(asked).toEqual([
    { url: URL, init: { cache: 'no-cache', signal: expect.any(AbortSignal) } },
  ])

  const left = new AbortController()
  left.abort()
  const { read: readLate, asked: askedLate } = world()
  await readLate(left.signal)
  expect(askedLate[0]?.init?.signal?.aborted).toBe(true)
})

test.each([
  [
    'a refusal with a body',
    new Response('<Error>AccessDenied</Error>', { status: 403 }),
    '<Error>AccessDenied</Error>',
  ],
  ['a 404 without one', new Response('', { status: 404 }), 'Error fetching'],
  ['no answer', new TypeError('Failed to fetch'), 'Failed to fetch'],
])(
  '8 banner fetch failure: of %s, response body or message is kept as the error',
  async (_, answer, error) => {
    const { read } = world({ answer })
    expect(await read()).toEqual({ type: 'readFailed', error })
  },
)

test.each([
  ['is not JSON', '<html>'],
  ['is empty', ''],
  ['is no list', '{"banners":[]}'],
  ['has one bad item', JSON.stringify([banner(), { uuid: 'two' }])],
])("8 a file that %s: 'Banner data does not match the expected format'", async (_, text) => {
  const storage = memoryStorage({ [KEY]: '{"one":{"at":20}}' })
  const { read } = world({ answer: new Response(text), storage })
  expect(await read()).toEqual({
    type: 'readFailed',
    error: 'Banner data does not match the expected format',
  })
  expect(storage.read(KEY)).toBe('{"one":{"at":20}}')
})

test('4.3 on loading, dismissals of updated and removed banners are dropped', async () => {
  const storage = memoryStorage({
    [KEY]: '{"one":{"at":20},"updated":{"at":20},"gone":{"at":20}}',
  })
  const { read } = world({
    answer: file(banner(), banner({ uuid: 'updated', metadata: { createdAt: 1, updatedAt: 21 } })),
    storage,
  })
  expect(await read()).toMatchObject({ dismissals: { one: { at: 20 } } })
  expect(storage.read(KEY)).toBe('{"one":{"at":20}}')
})

test('3 a corrupt map counts as no dismissals, and is replaced', async () => {
  const storage = memoryStorage({ [KEY]: '{{{' })
  const { read } = world({ answer: file(banner()), storage })
  expect(await read()).toMatchObject({ dismissals: {} })
  expect(storage.read(KEY)).toBeUndefined()
})

test('4.3 a dismissal is merged with those stored by other tabs', async () => {
  const storage = memoryStorage()
  const { read, services } = world({ answer: file(banner()), storage })
  await read()
  storage.keep(KEY, '{"other":{"at":1}}')
  const keep = { type: 'saveDismissal', uuid: 'one', dismissal: { at: 20 } } as const
  await services.saveDismissal(keep, new AbortController().signal)
  expect(JSON.parse(storage.read(KEY) ?? '')).toEqual({ other: { at: 1 }, one: { at: 20 } })
})

test('3 a dismissal in another tab is reported, other values are not, and the watch ends with its step', async () => {
  const { services, storage, told, watching } = world()
  const step = new AbortController()
  const heard = services.watchDismissals({ type: 'watchDismissals' }, step.signal)
  const events = (heard as AsyncIterable<Event>)[Symbol.asyncIterator]()
  const first = events.next()
  told('jwt')
  told(null)
  storage.keep(KEY, '{"one":{"at":20}}')
  told(KEY)
  expect((await first).value).toEqual({
    type: 'dismissedElsewhere',
    dismissals: { one: { at: 20 } },
  })
  const second = events.next()
  step.abort()
  expect((await second).done).toBe(true)
  expect(watching()).toBe(0)
})

test('4.3 for any events, banners are read once and watched once, and an error is final', () => {
  const found = moves(banners, { inputs, events })
  expect(found.filter(({ commands }) => commands.includes('readBanners'))).toHaveLength(1)
  expect(found.filter(({ from }) => from === 'failed')).toEqual([])
  let seed = 7
  const chance = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  walk(
    banners,
    { inputs, events },
    {
      steps: 500,
      chance,
      invariant(state, _commands, before) {
        if (before.step !== 'loaded' || state.step !== 'loaded') return
        expect(Object.keys(state.dismissals)).toEqual(
          expect.arrayContaining(Object.keys(before.dismissals)),
        )
      },
    },
  )
})
