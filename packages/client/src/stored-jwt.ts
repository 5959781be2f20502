import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { attempt } from '@portico/contracts/text-storage'

/** Where a token is stored: in local storage, or in a cookie if local storage is blocked or full. */
interface JwtLocation {
  readonly key: string
  readonly cookie: string
}

const OWN: JwtLocation = { key: STORAGE_KEYS.jwt, cookie: 'portico-jwt' }

/** Where the token of an operator's viewing session is stored, in addition to the operator's own. */
export function viewingJwtLocation(sessionUuid: string): JwtLocation {
  return {
    key: `${STORAGE_KEYS.impersonationJwt}${sessionUuid}`,
    cookie: `portico-viewing-jwt-${sessionUuid}`,
  }
}

/** Replaces the tokens of earlier viewing sessions with a new one's. */
export function storeViewingJwt(window: Window, sessionUuid: string, jwt: string): void {
  attempt(() => {
    for (const key of Object.keys(window.localStorage)) {
      if (key.startsWith(STORAGE_KEYS.impersonationJwt)) window.localStorage.removeItem(key)
    }
  })
  storedJwt(window, viewingJwtLocation(sessionUuid)).write(jwt)
}

/** The lifetime of a token (§3). */
const COOKIE_LIFETIME_S = 1440
/** The valid header syntax (RFC 6750, 2.1); any other stored value was not written by this code. */
const HEADER_VALUE = new RegExp(`^${BEARER_PREFIX}[\\w.~+/-]+=*$`)

/**
 * The stored token (§3), which scripts on the lender's pages read. It is useless without the session cookie. If local
 * storage is blocked or full, the token is stored in a cookie that scripts can read and the server ignores. If cookies are
 * blocked too, it lasts as long as the page.
 */
export interface StoredJwt {
  /** The authorization header's value, prefix included. */
  readonly read: () => string | undefined
  readonly write: (jwt: string) => void
  readonly remove: () => void
  /** Reports when another tab stored (`true`) or removed (`false`) the token; returns the unsubscribe function. */
  readonly watch: (listener: (stored: boolean) => void) => () => void
}

export function storedJwt(window: Window, { key, cookie: name }: JwtLocation = OWN): StoredJwt {
  const cookie = tokenCookie(window, name)
  let inMemory: string | undefined
  return {
    read() {
      // A token in memory or in the cookie is newer than one left in a full storage.
      const stored =
        inMemory ?? cookie.read() ?? attempt(() => window.localStorage.getItem(key)) ?? ''
      return HEADER_VALUE.exec(stored)?.[0]
    },
    write(jwt) {
      const text = jwt.startsWith(BEARER_PREFIX) ? jwt : `${BEARER_PREFIX}${jwt}`
      const stored = attempt(() => {
        window.localStorage.setItem(key, text)
        return text
      })
      inMemory = stored === undefined ? text : undefined
      if (stored === undefined) cookie.write(text)
      else cookie.remove()
    },
    remove() {
      inMemory = undefined
      cookie.remove()
      attempt(() => window.localStorage.removeItem(key))
    },
    watch(listener) {
      const onStorage = (event: StorageEvent) => {
        if (event.key !== key && event.key !== null) return
        inMemory = undefined
        listener(event.key !== null && event.newValue !== null)
      }
      window.addEventListener('storage', onStorage)
      return () => window.removeEventListener('storage', onStorage)
    },
  }
}

/** The fallback cookie. Tokens contain no characters that need escaping in a cookie. */
function tokenCookie(window: Window, baseName: string) {
  const secure = attempt(() => window.location.protocol === 'https:') === true
  const name = secure ? `__Host-${baseName}` : baseName
  const write = (value: string, lifetimeS: number) => {
    attempt(() => {
      window.document.cookie = `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${lifetimeS}${secure ? '; Secure' : ''}`
    })
  }
  const read = (): string | undefined => {
    const cookies = attempt(() => window.document.cookie.split('; ')) ?? []
    const found = cookies.find((each) => each.startsWith(`${name}=`))
    return found && `${BEARER_PREFIX}${found.slice(name.length + 1)}`
  }
  return {
    read,
    write: (text: string) => write(text.slice(BEARER_PREFIX.length), COOKIE_LIFETIME_S),
    remove: () => {
      if (read() !== undefined) write('', 0)
    },
  }
}
