import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBrowserSession } from './browser.ts'

/** The user that the server reports as logged in. */
let user: { sub: string; organization: string } | null
const avery = { sub: 'avery', organization: 'HARBORLINE' }
beforeEach(() => {
  user = avery
  vi.stubGlobal('document', new EventTarget())
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('fetch', async () => Response.json({ user }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A tab that shows a user's page. */
function openTab(rendered: string | null) {
  const seen: (string | null)[] = []
  const stop = openBrowserSession({ user: rendered }).subscribe((now) =>
    seen.push(now?.sub ?? null),
  )
  return { seen, [Symbol.dispose]: stop }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

test('a page that opens after a logout notifies the tabs that were already open', async () => {
  using before = openTab('avery')
  await settled()
  expect(before.seen).toEqual([])
  user = null
  using after = openTab(null)
  await vi.waitFor(() => expect(before.seen).toEqual([null]))
  await settled()
  expect(after.seen).toEqual([])
  expect(before.seen).toEqual([null])
})

test('a page rendered for another user detects it, even without storage or a response', async () => {
  using tab = openTab('blake')
  await vi.waitFor(() => expect(tab.seen).toEqual(['avery']))
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
  using other = openTab('blake')
  await settled()
  expect(other.seen).toEqual([])
})

test('without BroadcastChannel the tabs use storage', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const setItem = vi.fn<(key: string, value: string) => void>()
  vi.stubGlobal('localStorage', { setItem })
  using tab = openTab('avery')
  await vi.waitFor(() => expect(setItem).toHaveBeenCalledOnce())
  user = null
  const [key] = setItem.mock.lastCall ?? []
  page.dispatchEvent(Object.assign(new Event('storage'), { key }))
  await vi.waitFor(() => expect(tab.seen).toEqual([null]))
})
