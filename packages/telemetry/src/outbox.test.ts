import { expect, test } from 'vitest'
import { keyedStorage } from './keyed-storage.ts'
import {
  CHARACTERS_MAXIMUM,
  type Draft,
  EVENT_AGE_MS,
  EVENTS_MAXIMUM,
  openOutbox,
} from './outbox.ts'
import { fakePlatform, memoryKeyedStorage } from './testing.ts'

const draft = (pagePath: string): Draft => ({
  domain: 'login.lender.example',
  queryParams: {},
  pagePath,
  event: 'page_view',
  eventType: 'PAGE_VIEW',
})
const paths = (outbox: ReturnType<typeof openOutbox>) =>
  outbox.all().map(({ event }) => event.pagePath)

test('7.8 queued events keep their order, also across pages', () => {
  const storage = memoryKeyedStorage()
  const { platform } = fakePlatform({ storage })
  const outbox = openOutbox(platform)
  for (const path of ['/one', '/two', '/three']) outbox.add(draft(path))
  const later = openOutbox({ ...platform, clock: () => platform.clock() + 1000 })
  later.add(draft('/four'))
  expect(paths(later)).toEqual(['/one', '/two', '/three', '/four'])
  later.remove(later.all()[1]?.id ?? '')
  expect(paths(outbox)).toEqual(['/one', '/three', '/four'])
})

test('7.8 the outbox is bounded in number, size and age; the oldest go first', () => {
  const { platform, state } = fakePlatform()
  const outbox = openOutbox(platform)
  for (let index = 0; index <= EVENTS_MAXIMUM; index += 1) outbox.add(draft(`/${index}`))
  expect(paths(outbox)).toHaveLength(EVENTS_MAXIMUM)
  expect(paths(outbox)[0]).toBe('/1')

  const large = 'x'.repeat(2000)
  for (let index = 0; index < 40; index += 1) outbox.add(draft(`/${index}/${large}`))
  const characters = outbox.all().reduce((sum, waiting) => sum + waiting.characters, 0)
  expect(characters).toBeLessThanOrEqual(CHARACTERS_MAXIMUM)
  expect(paths(outbox).at(-1)).toBe(`/39/${large}`)

  state.now += EVENT_AGE_MS + 1000
  expect(paths(outbox)).toEqual([])
  expect(platform.storage.keys()).toEqual([])
})

test('values written by other code are skipped and removed', () => {
  const storage = memoryKeyedStorage({
    'portico-telemetry.event.1': 'rubbish',
    'portico-telemetry.event.2': '{"at":1,"event":{}}',
    'portico-telemetry.event.3': '[]',
    jwt: 'Bearer x',
  })
  const outbox = openOutbox(fakePlatform({ storage }).platform)
  expect(outbox.all()).toEqual([])
  expect(storage.keys()).toEqual(['jwt'])
})

test.each([
  [
    'blocked',
    (): Storage => {
      throw new DOMException('blocked', 'SecurityError')
    },
  ],
  [
    'full',
    () =>
      ({
        getItem: () => null,
        setItem() {
          throw new DOMException('full', 'QuotaExceededError')
        },
        removeItem: () => undefined,
      }) as unknown as Storage, // As much of a storage as is used.
  ],
])('a storage that is %s: the page remembers by itself', (_, storage: () => Storage) => {
  const { platform } = fakePlatform({ storage: keyedStorage(storage) })
  const outbox = openOutbox(platform)
  outbox.add(draft('/one'))
  expect(paths(outbox)).toEqual(['/one'])
  outbox.remove(outbox.all()[0]?.id ?? '')
  expect(paths(outbox)).toEqual([])
})
