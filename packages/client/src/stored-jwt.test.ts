import { expect, test } from 'vitest'
import { storedJwt } from './stored-jwt.ts'

type StorageState = 'available' | 'blocked' | 'full'

/** The parts of a browser that the stored token uses: local storage, cookies and storage events. */
function aBrowser(
  storage: StorageState = 'available',
  { cookies = true, protocol = 'http:' } = {},
) {
  const texts = new Map<string, string>()
  const jar = new Map<string, string>()
  const written: string[] = []
  const events = new EventTarget()
  const localStorage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem(key: string, text: string) {
      if (storage === 'full') throw new DOMException('full', 'QuotaExceededError')
      texts.set(key, text)
    },
    removeItem: (key: string) => void texts.delete(key),
  }
  const document = {
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      written.push(text)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (!cookies) return
      if (text.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, value)
    },
  }
  const window = {
    get localStorage() {
      if (storage === 'blocked') throw new DOMException('blocked', 'SecurityError')
      return localStorage
    },
    document,
    location: { protocol },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const changeElsewhere = (key: string | null, newValue: string | null) => {
    if (key === null) texts.clear()
    else if (newValue === null) texts.delete(key)
    else texts.set(key, newValue)
    events.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  }
  // Only these members of a window are used.
  return { window: window as unknown as Window, texts, jar, written, changeElsewhere }
}

test("3 local storage: jwt (stored with the 'Bearer ' prefix)", () => {
  const { window, texts } = aBrowser()
  const jwt = storedJwt(window)
  jwt.write('token')
  expect([texts.get('jwt'), jwt.read()]).toEqual(['Bearer token', 'Bearer token'])
  jwt.write('Bearer renewed')
  expect(jwt.read()).toBe('Bearer renewed')
  jwt.remove()
  expect([texts.has('jwt'), jwt.read()]).toEqual([false, undefined])
})

test.each(['blocked', 'full'] as const)(
  '3 if the storage is %s, the token is in a cookie, which the next page reads',
  (storage) => {
    const { window, texts, jar, written } = aBrowser(storage, { protocol: 'https:' })
    texts.set('jwt', 'Bearer of.another.day')
    storedJwt(window).write('token')
    expect([...jar]).toEqual([['__Host-portico-jwt', 'token']])
    expect(written[0]).toMatch(/; Path=\/; SameSite=Strict; Max-Age=1440; Secure$/)
    const nextPage = storedJwt(window)
    expect(nextPage.read()).toBe('Bearer token')
    nextPage.remove()
    expect([nextPage.read(), jar.size]).toEqual([undefined, 0])
  },
)

test('3 once storage works again, only the storage holds the token', () => {
  const { window, texts, jar } = aBrowser()
  jar.set('portico-jwt', 'old')
  const jwt = storedJwt(window)
  expect(jwt.read()).toBe('Bearer old')
  jwt.write('new')
  expect([jwt.read(), texts.get('jwt'), jar.size]).toEqual(['Bearer new', 'Bearer new', 0])
})

test('3 without cookies either, the user is signed in for this page only', () => {
  const { window } = aBrowser('blocked', { cookies: false })
  const jwt = storedJwt(window)
  jwt.write('token')
  expect(jwt.read()).toBe('Bearer token')
  expect(storedJwt(window).read()).toBeUndefined()
  jwt.remove()
  expect(jwt.read()).toBeUndefined()
})

test.each([
  '',
  'null',
  'token',
  'Bearer',
  'Bearer ',
  'Bearer a b',
  'Bearer é',
  'Bearer \u{1f4a5}',
  'Bearer a\n',
])('3 a stored value that is invalid in a header is ignored: %j', (text) => {
  const { window, texts } = aBrowser()
  texts.set('jwt', text)
  expect(storedJwt(window).read()).toBeUndefined()
})

test('3 storing or removing the token in another tab is reported, other changes are not', () => {
  const { window, changeElsewhere } = aBrowser()
  const notified: boolean[] = []
  const stop = storedJwt(window).watch((stored) => notified.push(stored))
  changeElsewhere('jwt', 'Bearer other')
  changeElsewhere('dismissed-banners', '{}')
  changeElsewhere('jwt', null)
  changeElsewhere(null, null)
  stop()
  changeElsewhere('jwt', 'Bearer late')
  expect(notified).toEqual([true, false, false])
})

test('3 a token that another tab removed is gone here too', () => {
  const { window, changeElsewhere } = aBrowser()
  const jwt = storedJwt(window)
  jwt.watch(() => undefined)
  jwt.write('token')
  changeElsewhere('jwt', null)
  expect(jwt.read()).toBeUndefined()
})
