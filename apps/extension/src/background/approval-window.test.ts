import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BrowserApi } from '../browser-api.ts'
import { approvalWindow } from './approval-window.ts'

beforeEach(() => {
  // Each worker has a queue of its own: a lock ends with its worker.
  vi.stubGlobal('navigator', { locks: { request: (_: string, task: () => unknown) => task() } })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const PAGE = 'moz-extension://id/approval.html'

type Window = Partial<chrome.windows.Window>

function aStorage() {
  const stored: Record<string, unknown> = {}
  return {
    get: async () => stored,
    set: async (values: object) => void Object.assign(stored, values),
    remove: async (key: string) => void delete stored[key],
  }
}

/** A browser in which each window has one tab with its id. */
function aBrowser() {
  const windows = new Map<number, Window>()
  const local = aStorage()
  const open = (url: string | undefined, window: Window): { id: number } => {
    const id = windows.size + 1
    // Only these parts of a tab are used.
    const tab = { id, url } as chrome.tabs.Tab
    windows.set(id, { ...window, id, tabs: [tab] })
    return { id }
  }
  return {
    open,
    ids: () => [...windows.keys()],
    close: (id: number) => windows.delete(id),
    /** Starts a worker of a version of the extension. Local storage stays, and session storage is new as after an update. */
    start(create: (window: Window) => Promise<{ id: number }>, version = '1') {
      const api = {
        runtime: { getURL: () => PAGE, getManifest: () => ({ version }) },
        storage: { local, session: aStorage() },
        windows: {
          create,
          getAll: async () => [...windows.values()],
          get: async (id: number) => windows.get(id),
          update: async (id: number) => {
            if (!windows.has(id)) throw new Error(`No window with id: ${id}`)
          },
          remove: async (id: number) => void windows.delete(id),
        },
      } as unknown as BrowserApi // Only these parts are used.
      return approvalWindow(api)
    },
  }
}

test('7.4 a request is shown in a new window if the open one is closed at that moment', async () => {
  const browser = aBrowser()
  const created: number[] = []
  const approval = browser.start(async (window) => {
    const { id } = browser.open(PAGE, window)
    created.push(id)
    return { id }
  })
  await approval.show(undefined)
  for (const id of created) browser.close(id)
  await approval.show(undefined)
  expect(created).toHaveLength(2)
})

test('7.4 a request is shown in a new window if the open one is closing itself', async () => {
  const browser = aBrowser()
  const approval = browser.start(async (window) => browser.open(PAGE, window))
  await approval.show(undefined)
  for (const other of [undefined, 7]) await approval.pageClosing(other)
  await approval.show(undefined)
  expect(browser.ids()).toEqual([1])
  await approval.pageClosing(1)
  await approval.show(undefined)
  expect(browser.ids()).toEqual([1, 2])
})

test.each([
  ['loaded its page without its scripts', PAGE],
  ['never loaded its page', undefined],
])(
  '2.6 a window that opened during an update and %s is closed by the new version',
  async (_, url) => {
    const browser = aBrowser()
    const site = browser.open('https://site.example/', { type: 'normal' })
    const earlierPopup = browser.open(undefined, { type: 'popup', width: 360, height: 600 })
    const interrupted = Promise.withResolvers<{ id: number }>()
    const blank = vi.fn<(window: Window) => Promise<{ id: number }>>((window) => {
      browser.open(url, window)
      return interrupted.promise
    })
    void browser.start(blank).show(undefined)
    await vi.waitFor(() => expect(blank).toHaveBeenCalledOnce())

    const next = browser.start(async (window) => browser.open(PAGE, window), '2')
    await next.show(undefined)
    const shown = browser.ids().at(-1)
    await next.pageConnected(PAGE)
    const connected = browser.open(PAGE, { type: 'normal' })
    const otherPopup = browser.open(undefined, { type: 'popup', width: 500, height: 600 })
    expect(await next.closeBlank((tabId) => tabId === connected.id)).toBe(true)
    expect(browser.ids()).toEqual([site.id, earlierPopup.id, shown, connected.id, otherPopup.id])
  },
)

test.each([
  ['while its page is still loading', '1', 0, false],
  ['after its page has connected', '2', 0, true],
  ['if the user closed it before, and an update comes later', '2', 60_000, false],
])(
  '2.6 no popup of a site is taken for the approval window: %s',
  async (_, version, pauseMs, isConnected) => {
    const browser = aBrowser()
    const approval = browser.start(async (window) => browser.open(PAGE, window))
    await approval.show(undefined)
    if (isConnected) await approval.pageConnected(PAGE)
    const popup = browser.open(undefined, { type: 'popup', width: 360, height: 600 })
    const later = Date.now() + pauseMs
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    await browser.start(async () => popup, version).closeBlank(() => false)
    expect(browser.ids()).toContain(popup.id)
  },
)
