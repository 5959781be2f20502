import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'

/**
 * The stored token (§3): what scripts of the lender's pages read. It opens nothing without the session's cookie.
 * Storage that is blocked or full leaves the person signed in for this page only, so every access may fail quietly.
 */
export interface StoredJwt {
  /** The authorization header's value, prefix included. */
  readonly read: () => string | undefined
  readonly keep: (jwt: string) => void
  readonly remove: () => void
  /** Tells when another tab stored (`true`) or removed (`false`) the token; gives the way to stop listening. */
  readonly watch: (listener: (stored: boolean) => void) => () => void
}

/** The stored token of a browser window. */
export function storedJwt(window: Window): StoredJwt {
  let remembered: string | undefined
  const attempt = <Value>(access: (storage: Storage) => Value): Value | undefined => {
    try {
      return access(window.localStorage)
    } catch {
      // Blocked by the browser or full: this page goes on with what it remembers.
      return undefined
    }
  }
  return {
    read: () => attempt((storage) => storage.getItem(STORAGE_KEYS.jwt)) ?? remembered,
    keep(jwt) {
      remembered = jwt.startsWith(BEARER_PREFIX) ? jwt : `${BEARER_PREFIX}${jwt}`
      const kept = remembered
      attempt((storage) => storage.setItem(STORAGE_KEYS.jwt, kept))
    },
    remove() {
      remembered = undefined
      attempt((storage) => storage.removeItem(STORAGE_KEYS.jwt))
    },
    watch(listener) {
      const heard = (event: StorageEvent) => {
        if (event.key !== STORAGE_KEYS.jwt && event.key !== null) return
        remembered = undefined
        listener(event.key !== null && event.newValue !== null)
      }
      window.addEventListener('storage', heard)
      return () => window.removeEventListener('storage', heard)
    },
  }
}
