import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserApi } from '../browser-api.ts'
import { openPages } from './open-pages.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { locks: { request: (_: string, task: () => unknown) => task() } })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PAGE = { origin: 'https://site.example', tabId: 1, documentId: 'one' }

/** Session storage, which outlives the workers. */
function aSession() {
  const stored: Record<string, unknown> = {}
  const area = {
    get: async () => structuredClone(stored),
    set: async (values: object) => void Object.assign(stored, structuredClone(values)),
  }
  const tab: Pick<chrome.tabs.Tab, 'status'> = { status: 'complete' }
  // Only these parts are used.
  const api = {
    storage: { session: area },
    tabs: { get: async () => tab },
  } as unknown as BrowserApi
  return {
    tab,
    start: (
      withdraw: (origin: string) => Promise<void>,
      isOpen: Promise<void> = Promise.resolve(),
    ) => openPages(api, () => isOpen.then(() => ({ withdraw }))),
  }
}

/** The withdrawal of a worker that is stopped before it has stored it. */
const anInterruptedWithdrawal = () =>
  vi.fn<(origin: string) => Promise<void>>(() => new Promise(() => undefined))

const aWithdrawal = () => vi.fn<(origin: string) => Promise<void>>(async () => undefined)

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('2.6 the requests of closed pages are withdrawn once all of an origin are closed, by the next worker if the first is stopped', async () => {
  const session = aSession()
  const [first, next, last] = [anInterruptedWithdrawal(), anInterruptedWithdrawal(), aWithdrawal()]
  const pages = session.start(first)
  await pages.add(PAGE)
  await pages.add({ ...PAGE, tabId: 2, documentId: 'two' })
  void pages.remove(({ tabId }) => tabId === 1)
  await pass(3000)
  void pages.remove(({ tabId }) => tabId === 2)
  await pass(3000)

  void session.start(next).withdrawLeft()
  await pass(1999)
  expect(next).not.toHaveBeenCalled()
  await pass(1)
  expect(next.mock.calls).toEqual([[PAGE.origin]])

  for (let starts = 0; starts < 2; starts += 1) {
    void session.start(last).withdrawLeft()
    await pass(5000)
    expect(last.mock.calls).toEqual([[PAGE.origin]])
  }
})

test('2.6 a page that loads again keeps its requests, even if the worker is stopped in between', async () => {
  const session = aSession()
  const withdraw = aWithdrawal()
  const pages = session.start(withdraw)
  await pages.add(PAGE)
  void pages.remove(({ documentId }) => documentId === PAGE.documentId)
  await pass(3000)
  const next = session.start(withdraw)
  void next.withdrawLeft()
  await next.add({ ...PAGE, documentId: 'two' })
  await pass(60_000)
  // The wallet may open slowly.
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>()
  const slow = session.start(withdraw, isOpen)
  void slow.remove(({ documentId }) => documentId === 'two')
  await pass(6000)
  await slow.add({ ...PAGE, documentId: 'three' })
  open()
  await pass(0)
  expect(withdraw).not.toHaveBeenCalled()
})

test('2.6 a page that loads slowly keeps its requests while its tab loads, for a minute', async () => {
  const session = aSession()
  const withdraw = aWithdrawal()
  const pages = session.start(withdraw)
  await pages.add(PAGE)
  session.tab.status = 'loading'
  void pages.remove(() => true)
  await pass(30_000)
  await pages.add({ ...PAGE, documentId: 'two' })
  await pass(60_000)
  expect(withdraw).not.toHaveBeenCalled()

  void pages.remove(() => true)
  await pass(59_000)
  expect(withdraw).not.toHaveBeenCalled()
  await pass(1000)
  expect(withdraw.mock.calls).toEqual([[PAGE.origin]])
})
