/**
 * For pages of an application that uses `SignIn` on its server: reads the signed-in user, signs in and out, and reports
 * changes in other tabs. It has no dependencies and never sees a token.
 */

/** The signed-in user, as returned by the route `session`. */
export interface SignedInUser {
  readonly sub: string
  readonly email?: string
  readonly organization: string
}

export interface BrowserSession {
  /** Reads the signed-in user from your server; null if no one is signed in. Rejects if the server does not respond. */
  read(): Promise<SignedInUser | null>
  /**
   * Calls back when the signed-in user changes or signs out: after a login or logout in another tab, and after a logout
   * elsewhere as soon as this tab is visible again. Most pages then reload.
   *
   * @returns an unsubscribe function
   */
  subscribe(listener: Listener): () => void
  /** Navigates to the login, which returns to `returnTo`, this page by default. */
  signIn(returnTo?: string): void
  /** Navigates away and signs out of all applications, or with `here` of this one only. */
  signOut(where?: 'everywhere' | 'here'): void
}

const CHANNEL = 'portico-session'
/** How long after a logout notice to check the session again. */
const LOGOUT_MS = 2000

type Listener = (user: SignedInUser | null) => void

/**
 * @param options.basePath - as on the server
 * @param options.user - the `sub` of the user for whom your server rendered the page, or null; by default the first
 *   response's
 */
export function openBrowserSession({
  basePath = '',
  user: rendered,
}: {
  readonly basePath?: string
  readonly user?: string | null
} = {}): BrowserSession {
  const logoutPath = `${basePath}/logout`
  const subscriptions = new Map<object, { notify: () => void; listener: Listener }>()
  let known = rendered

  async function read(): Promise<SignedInUser | null> {
    const response = await fetch(`${basePath}/session`, {
      cache: 'no-store',
      headers: { accept: 'application/json' },
    })
    if (!response.ok) throw new Error(`${basePath}/session answered with ${response.status}`)
    const { user } = (await response.json()) as { user: SignedInUser | null }
    const sub = user?.sub ?? null
    const isChanged = known !== undefined && known !== sub
    known = sub
    if (isChanged) {
      for (const { notify, listener } of subscriptions.values()) {
        notify()
        listener(user)
      }
    }
    return user
  }

  // Without a response the page stays unchanged until the next check.
  const check = () => read().catch(() => undefined)

  return {
    read,
    subscribe(listener) {
      const ending = new AbortController()
      const { signal } = ending
      const notify = openChannel(signal, () => {
        void check()
        // The logout notice is sent before the server has ended the session.
        setTimeout(() => void check(), LOGOUT_MS)
      })
      const subscription = {}
      subscriptions.set(subscription, { notify, listener })
      document.addEventListener(
        'visibilitychange',
        () => {
          if (document.visibilityState === 'visible') void check()
        },
        { signal },
      )
      // A page from the back-forward cache may show an earlier user.
      addEventListener(
        'pageshow',
        ({ persisted }) => {
          if (persisted) void check()
        },
        { signal },
      )
      // After a logout, this tab may show a page of Portico, which cannot notify the others.
      document.addEventListener(
        'submit',
        ({ target }) => {
          const isForm = target instanceof HTMLFormElement
          if (isForm && URL.parse(target.action)?.pathname === logoutPath) notify()
        },
        { signal },
      )
      // The first page after a login or logout notifies the tabs that were already open.
      void check().then(notify)
      return () => {
        subscriptions.delete(subscription)
        ending.abort()
      }
    },
    signIn(returnTo = `${location.pathname}${location.search}`) {
      location.assign(`${basePath}/login?${new URLSearchParams({ returnTo })}`)
    },
    signOut(where = 'everywhere') {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = `${logoutPath}${where === 'here' ? '?only=here' : ''}`
      document.body.append(form)
      form.requestSubmit()
    },
  }
}

/** Notifies the other tabs. A notice only makes them ask the server. */
function openChannel(signal: AbortSignal, onNotice: () => void): () => void {
  if (typeof BroadcastChannel === 'function') {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', onNotice)
    signal.addEventListener('abort', () => channel.close())
    return () => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
      if (!signal.aborted) channel.postMessage('')
    }
  }
  addEventListener('storage', ({ key }) => key === CHANNEL && onNotice(), { signal })
  return () => {
    try {
      // Other tabs get an event only if the value changes.
      localStorage.setItem(CHANNEL, String(Date.now()))
    } catch {
      // Without storage the other tabs notice when they become visible.
    }
  }
}
