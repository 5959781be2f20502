import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { BOOT_SCRIPT } from './boot-script.ts'

type Listener = (event: unknown) => void

/** A page with the script, in a browser whose tabs share a cookie jar. `onWrite` is called after each write of this page. */
function openPage(jar: Map<string, string>, onWrite: () => void = () => undefined) {
  const listeners = new Map<string, Listener>()
  const messages = new Map<string, { hidden: boolean }>()
  const document = {
    documentElement: { dataset: {} },
    getElementById(id: string) {
      const message = messages.get(id) ?? { hidden: true }
      messages.set(id, message)
      return message
    },
    get cookie() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    },
    set cookie(text: string) {
      const [name = '', value = ''] = (text.split(';', 1)[0] ?? '').split('=')
      if (text.includes('max-age=0')) jar.delete(name)
      else jar.set(name, value)
      onWrite()
    },
  }
  runInNewContext(BOOT_SCRIPT, {
    document,
    crypto,
    setTimeout: () => undefined,
    HTMLScriptElement: EventTarget,
    MutationObserver: class {
      observe() {}
    },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  })
  return {
    load: () => listeners.get('DOMContentLoaded')?.({}),
    isShown: (id: string) => messages.get(id)?.hidden === false,
  }
}

test('two tabs that load at once do not report that cookies are blocked', () => {
  const jar = new Map<string, string>()
  const second = openPage(jar)
  let isInterrupted = false
  // The second tab checks between the first one's write and read.
  const first = openPage(jar, () => {
    if (isInterrupted) return
    isInterrupted = true
    second.load()
  })
  first.load()
  expect([first.isShown('cookies-blocked'), second.isShown('cookies-blocked')]).toEqual([
    false,
    false,
  ])
  expect(jar.size).toBe(0)
})

test('blocked cookies are reported', () => {
  const blocked = new Map<string, string>()
  blocked.set = () => blocked
  const page = openPage(blocked)
  page.load()
  expect(page.isShown('cookies-blocked')).toBe(true)
})
