import { afterEach, expect, test, vi } from 'vitest'
import { openTelemetry } from './telemetry.ts'

// A busy machine may need more than the default timeout of one second.
const WAITS = { timeout: 30_000 }

const SETTINGS = {
  telemetry: { appVersion: '0.1.0' },
  session: null,
  organization: { orgCode: 'FIGURE' },
}

/** The parts of a window that telemetry uses; the test triggers the idle callback. */
function aWindow(navigator: object = {}, entries: Record<string, string> = {}) {
  const idle: (() => void)[] = []
  const listeners: Record<string, (() => void)[]> = {}
  const fetched: string[] = []
  const localStorage = Object.create(
    {
      getItem: (key: string) => localStorage[key] ?? null,
      setItem: (key: string, text: string) => void (localStorage[key] = text),
      removeItem: (key: string) => void delete localStorage[key],
    },
    Object.getOwnPropertyDescriptors({ ...entries }),
  ) as Record<string, string>
  const listen = (name: string, listener: () => void) => {
    ;(listeners[name] ??= []).push(listener)
  }
  const window = {
    navigator: { onLine: true, ...navigator },
    localStorage,
    location: {
      origin: 'https://login.lender.example',
      hostname: 'login.lender.example',
      pathname: '/auth/register',
      search: '?email=ada@people.example',
    },
    screen: { width: 1440, height: 900 },
    innerWidth: 1200,
    innerHeight: 800,
    document: {
      readyState: 'complete',
      referrer: '',
      visibilityState: 'visible',
      addEventListener: listen,
    },
    addEventListener: listen,
    setTimeout: () => 0,
    requestIdleCallback: (work: () => void) => idle.push(work),
  } as unknown as Window // Only the parts of a window that telemetry uses.
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    fetched.push(`${url} ${(JSON.parse(body) as { pagePath?: string }).pagePath ?? ''}`)
    const sessionKey = {
      uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
      epoch: Date.now(),
      trackerUuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    }
    return url.endsWith('/session')
      ? Response.json({ sessionKey })
      : new Response(null, { status: 204 })
  })
  return {
    window,
    fetched,
    storedKeys: () => Object.keys(localStorage),
    becomeIdle: () => idle.forEach((work) => work()),
    leave: () => listeners['pagehide']?.forEach((listener) => listener()),
  }
}

afterEach(() => vi.unstubAllGlobals())

test('2.1, 7.8 events wait until the page is idle, and are then sent', async () => {
  const { window, fetched, becomeIdle } = aWindow()
  const telemetry = openTelemetry(window, SETTINGS)
  telemetry.pageViewed('/auth/login')
  telemetry.pageViewed('/auth/register')
  telemetry.registered()
  expect(telemetry.trackingId()).toBeUndefined()
  await new Promise(setImmediate)
  expect(fetched).toEqual([])
  becomeIdle()
  await vi.waitFor(
    () =>
      expect(fetched).toEqual([
        '/ft/external/session ',
        '/ft/external/event /auth/login',
        '/ft/external/event /auth/register',
        '/ft/external/event /auth/register',
      ]),
    WAITS,
  )
  expect(telemetry.trackingId()).toBe('0f8fad5b-d9cb-469f-a165-70867728950e')
})

test('2.1 a page-view event is sent on every path change', async () => {
  const { window, fetched, becomeIdle } = aWindow()
  const telemetry = openTelemetry(window, SETTINGS)
  for (const path of ['/login', '/login', '/register', '/login']) telemetry.pageViewed(path)
  becomeIdle()
  await vi.waitFor(
    () =>
      expect(fetched.slice(1)).toEqual(
        ['/login', '/register', '/login'].map((path) => `/ft/external/event ${path}`),
      ),
    WAITS,
  )
})

test('7.8 events of a page that closes before telemetry is loaded are sent by the next one, without the query', async () => {
  const first = aWindow()
  openTelemetry(first.window, SETTINGS).pageViewed('/auth/logout')
  first.leave()
  const entries = Object.entries(first.window.localStorage)
  expect(JSON.stringify(entries)).not.toContain('people.example')
  const second = aWindow({}, Object.fromEntries(entries))
  openTelemetry(second.window, SETTINGS)
  second.becomeIdle()
  await vi.waitFor(
    () => expect(second.fetched.at(-1)).toBe('/ft/external/event /auth/logout'),
    WAITS,
  )
})

test('7.8 events of several pages that close before telemetry is loaded all wait', async () => {
  const entriesAfter = (path: string, entries: Record<string, string>) => {
    const { window, leave } = aWindow({}, entries)
    openTelemetry(window, SETTINGS).pageViewed(path)
    leave()
    return Object.fromEntries(Object.entries(window.localStorage)) as Record<string, string>
  }
  const last = aWindow({}, entriesAfter('/auth/second', entriesAfter('/auth/first', {})))
  openTelemetry(last.window, SETTINGS)
  last.becomeIdle()
  await vi.waitFor(
    () =>
      expect(last.fetched.slice(1)).toEqual([
        '/ft/external/event /auth/first',
        '/ft/external/event /auth/second',
      ]),
    WAITS,
  )
})

test.each([
  ['Global Privacy Control', { globalPrivacyControl: true }, SETTINGS],
  ['page data without telemetry', {}, { ...SETTINGS, telemetry: null }],
])(
  '%s: nothing is loaded, sent or stored, and what was stored before is removed',
  async (_, navigator, settings) => {
    const { window, fetched, storedKeys, becomeIdle, leave } = aWindow(navigator, {
      'portico-telemetry': '{}',
      'portico-telemetry.queue': '{}',
      jwt: 'Bearer x',
    })
    const telemetry = openTelemetry(window, settings)
    telemetry.pageViewed('/auth/login')
    telemetry.registered()
    becomeIdle()
    leave()
    await new Promise(setImmediate)
    expect(fetched).toEqual([])
    expect(storedKeys()).toEqual(['jwt'])
    expect(telemetry.trackingId()).toBeUndefined()
  },
)

test('telemetry works with blocked storage', async () => {
  const { window, fetched, becomeIdle } = aWindow()
  Object.defineProperty(window, 'localStorage', {
    get() {
      throw new DOMException('blocked', 'SecurityError')
    },
  })
  openTelemetry(window, SETTINGS).pageViewed('/auth/login')
  becomeIdle()
  await vi.waitFor(() => expect(fetched.at(-1)).toBe('/ft/external/event /auth/login'), WAITS)
})
