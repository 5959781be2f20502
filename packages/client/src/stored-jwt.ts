import { BEARER_PREFIX, STORAGE_KEYS } from '@portico/contracts/storage-keys'

/** Where the token is kept for the browser's tabs and pages where its storage is blocked or full. */
const COOKIE = 'portico-jwt'
/** As long as a token is good for (§3). */
const COOKIE_LIFETIME_S = 1440
/** What a header can carry (RFC 6750, 2.1); anything else under the token's name was not put there by us. */
const HEADER_VALUE = new RegExp(`^${BEARER_PREFIX}[\\w.~+/-]+=*$`)

/**
 * The stored token (§3): what scripts of the lender's pages read. It opens nothing without the session's cookie.
 * Storage that is blocked or full must not keep anybody out: the token then lies in a cookie, which scripts read as well
 * and the server does not, and where there are none either it lasts as long as the page.
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
  const cookie = tokenCookie(window)
  let remembered: string | undefined
  return {
    read() {
      // What lies in the cookie or in memory is newer than what a full storage holds.
      const kept =
        remembered ??
        cookie.read() ??
        attempt(() => window.localStorage.getItem(STORAGE_KEYS.jwt)) ??
        ''
      return HEADER_VALUE.exec(kept)?.[0]
    },
    keep(jwt) {
      const text = jwt.startsWith(BEARER_PREFIX) ? jwt : `${BEARER_PREFIX}${jwt}`
      const stored = attempt(() => {
        window.localStorage.setItem(STORAGE_KEYS.jwt, text)
        return text
      })
      remembered = stored === undefined ? text : undefined
      if (stored === undefined) cookie.keep(text)
      else cookie.remove()
    },
    remove() {
      remembered = undefined
      cookie.remove()
      attempt(() => window.localStorage.removeItem(STORAGE_KEYS.jwt))
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

/** The cookie that stands in for a storage. Its value holds no character that a cookie could not. */
function tokenCookie(window: Window) {
  const secure = attempt(() => window.location.protocol === 'https:') === true
  const name = secure ? `__Host-${COOKIE}` : COOKIE
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
    keep: (text: string) => write(text.slice(BEARER_PREFIX.length), COOKIE_LIFETIME_S),
    remove: () => {
      if (read() !== undefined) write('', 0)
    },
  }
}

function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access()
  } catch {
    // Blocked by the browser or full: there is another place, or this page's memory.
    return undefined
  }
}
