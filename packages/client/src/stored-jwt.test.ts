import { expect, test } from 'vitest'
import { storedJwt } from './stored-jwt.ts'

/** A browser window with a storage, as far as the stored token looks at it. */
function aWindow(blocked = false) {
  const texts = new Map<string, string>()
  const events = new EventTarget()
  const localStorage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  }
  const window = {
    get localStorage() {
      if (blocked) throw new DOMException('blocked', 'SecurityError')
      return localStorage
    },
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const changeElsewhere = (key: string | null, newValue: string | null) => {
    if (key === null) texts.clear()
    else if (newValue === null) texts.delete(key)
    else texts.set(key, newValue)
    events.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  }
  // Only these three members of a window are used.
  return { window: window as unknown as Window, texts, changeElsewhere }
}

test("3 local storage: jwt (stored with the 'Bearer ' prefix)", () => {
  const { window, texts } = aWindow()
  const jwt = storedJwt(window)
  jwt.keep('token')
  expect([texts.get('jwt'), jwt.read()]).toEqual(['Bearer token', 'Bearer token'])
  jwt.keep('Bearer renewed')
  expect(jwt.read()).toBe('Bearer renewed')
  jwt.remove()
  expect([texts.has('jwt'), jwt.read()]).toEqual([false, undefined])
})

test('3 a storage that is blocked leaves the person signed in for this page only', () => {
  const jwt = storedJwt(aWindow(true).window)
  jwt.keep('token')
  expect(jwt.read()).toBe('Bearer token')
  jwt.remove()
  expect(jwt.read()).toBeUndefined()
})

test('3 another tab that stores or removes the token is heard, anything else is not', () => {
  const { window, changeElsewhere } = aWindow()
  const heard: boolean[] = []
  const stop = storedJwt(window).watch((stored) => heard.push(stored))
  changeElsewhere('jwt', 'Bearer other')
  changeElsewhere('dismissed-banners', '{}')
  changeElsewhere('jwt', null)
  changeElsewhere(null, null)
  stop()
  changeElsewhere('jwt', 'Bearer late')
  expect(heard).toEqual([true, false, false])
})

test('3 a token that another tab removed is gone here too', () => {
  const { window, changeElsewhere } = aWindow()
  const jwt = storedJwt(window)
  jwt.watch(() => undefined)
  jwt.keep('token')
  changeElsewhere('jwt', null)
  expect(jwt.read()).toBeUndefined()
})
