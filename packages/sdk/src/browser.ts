/**
 * For the pages of an application with `SignIn` on its server: reads who is signed in, signs in and out, and reports when that
 * changes in another tab. It has no dependencies and never sees a token.
 */

/** The signed-in user, as the route `session` answers. */
export interface SignedInUser {
  readonly sub: string
  readonly email?: string
  readonly organization: string
}

export interface BrowserSession {
  /** Reads who is signed in from your server; null if no one is. Rejects if it does not answer. */
  read(): Promise<SignedInUser | null>
  /**
   * Calls back when another user is signed in than before, or no one: after a login or logout in another tab, and after a
   * logout elsewhere as soon as this tab is shown again. Most pages reload then.
   *
   * @returns a function that stops it
   */
  subscribe(listener: Listener): () => void
  /** Leaves the page for the login, and returns to `returnTo`, by default this page. */
  signIn(returnTo?: string): void
  /** Leaves the page and signs out, of all applications or with `here` of this one. */
  signOut(where?: 'everywhere' | 'here'): void
}

const CHANNEL = 'portico-session'
/** How long after the notice of a logout the session has ended. */
const LOGOUT_MS = 2000

type Listener = (user: SignedInUser | null) => void

/**
 * @param options.basePath - as on the server
 * @param options.user - the `sub` of the user for whom your server rendered the page, or null; by default what it answers first
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

  // Without an answer the page stays as it is, until the next check.
  const check = () => read().catch(() => undefined)

  return {
    read,
    subscribe(listener) {
      const ending = new AbortController()
      const { signal } = ending
      const notify = openChannel(signal, () => {
        void check()
        // The notice of a logout is sent before the server has ended the session.
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
      // A page from the back-forward cache shows the user of its time.
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
      // The first page after a login or logout informs the tabs that were open before.
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

/** Notifies the other tabs. A notice is only a reason to ask the server. */
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
      // Only a value that changes is an event for the other tabs.
      localStorage.setItem(CHANNEL, String(Date.now()))
    } catch {
      // Without storage they find out when they are shown.
    }
  }
}
