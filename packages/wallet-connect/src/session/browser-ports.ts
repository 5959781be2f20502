import { fieldsIn } from '../protocol/fields.ts'
import { isMobileDevice } from './mobile-device.ts'
import { introduction } from './page-metadata.ts'
import type { SessionPorts, Stop, StoragePort } from './ports.ts'

/**
 * The browser as a session sees it. Nothing is touched before it is asked for, so that a module that makes a session
 * can also be loaded where there is no page, as while rendering on a server.
 */
export function browserPorts(): SessionPorts {
  return {
    now: Date.now,
    after: (delayMs, run) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    every: (intervalMs, run) => {
      const timer = setInterval(run, intervalMs)
      return () => clearInterval(timer)
    },
    storage: browserStorage(),
    onStorageChange: (listener) =>
      listening('storage', (event: StorageEvent) => {
        if (event.storageArea === window.localStorage) listener(event.key)
      }),
    onOwnMessage: (listener) =>
      listening('message', (event: MessageEvent) => {
        // Extensions speak to a page as the page itself; other windows have no say here.
        if (event.source === window && event.origin === location.origin) listener(event.data)
      }),
    introduction: () =>
      introduction(typeof document === 'undefined' ? undefined : document, here()),
    href: here,
    isMobile: () => typeof window !== 'undefined' && isMobileDevice(window),
    dispatch: (event, detail) => {
      if (typeof document === 'undefined') return
      document.dispatchEvent(new CustomEvent(event, { detail }))
    },
    hasExtension: (property) => fieldsIn(Reflect.get(globalThis, property))['isFigure'] === true,
    openWindow: (url) => void window.open(url, '_blank', 'noopener'),
    fetch: (...request) => fetch(...request),
    relay: {},
    log,
    report: (error) => {
      if (typeof reportError === 'function') reportError(error)
      else log('wallet session', error)
    },
  }
}

function log(text: string, about: unknown): void {
  // oxlint-disable-next-line no-console -- This is the port that everything else writes through.
  console.warn(text, about)
}

function here(): string {
  return typeof location === 'undefined' ? 'http://localhost/' : location.href
}

function listening<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): Stop {
  if (typeof window === 'undefined') return () => undefined
  window.addEventListener(type, listener)
  return () => window.removeEventListener(type, listener)
}

/** Local storage; where it is refused or full, memory until the next reload. */
function browserStorage(): StoragePort {
  const memory = new Map<string, string>()
  const attempt = <Result>(act: (storage: Storage) => Result): Result | undefined => {
    try {
      return typeof window === 'undefined' ? undefined : act(window.localStorage)
    } catch {
      // Blocked by the person or out of room: the session lives on without it.
      return undefined
    }
  }
  return {
    read: (key) => attempt((storage) => storage.getItem(key)) ?? memory.get(key),
    write: (key, value) => {
      const stored = attempt((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (stored === true) memory.delete(key)
      else memory.set(key, value)
    },
    remove: (key) => {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
  }
}
