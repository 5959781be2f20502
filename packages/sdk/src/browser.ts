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
  subscribe(listener: (user: SignedInUser | null) => void): () => void
  /** Leaves the page for the login, and returns to `returnTo`, by default this page. */
  signIn(returnTo?: string): void
  /** Leaves the page and signs out, of all applications or with `here` of this one. */
  signOut(where?: 'everywhere' | 'here'): void
}

const CHANNEL = 'portico-session'

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
  const listeners = new Set<(user: SignedInUser | null) => void>()
  const tabs = openChannel(() => void check())
  let known = rendered
  let isAnnounced = false

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
    // The first page after a login or logout informs the tabs that were open before.
    if (isChanged || !isAnnounced) tabs.notify()
    isAnnounced = true
    if (isChanged) for (const listener of listeners) listener(user)
    return user
  }

  // Without an answer the page stays as it is, until the next check.
  const check = () => read().catch(() => undefined)

  return {
    read,
    subscribe(listener) {
      listeners.add(listener)
      const checkIfVisible = () => {
        if (document.visibilityState === 'visible') void check()
      }
      // A page from the back-forward cache shows the user of its time.
      const checkIfRestored = ({ persisted }: PageTransitionEvent) => {
        if (persisted) void check()
      }
      document.addEventListener('visibilitychange', checkIfVisible)
      addEventListener('pageshow', checkIfRestored)
      void check()
      return () => {
        listeners.delete(listener)
        document.removeEventListener('visibilitychange', checkIfVisible)
        removeEventListener('pageshow', checkIfRestored)
      }
    },
    signIn(returnTo = `${location.pathname}${location.search}`) {
      location.assign(`${basePath}/login?${new URLSearchParams({ returnTo })}`)
    },
    signOut(where = 'everywhere') {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = `${basePath}/logout${where === 'here' ? '?only=here' : ''}`
      document.body.append(form)
      form.submit()
    },
  }
}

/** Notifies the other tabs. A notice is only a reason to ask the server. */
function openChannel(onNotice: () => void): { readonly notify: () => void } {
  if (typeof BroadcastChannel === 'function') {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', onNotice)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    return { notify: () => channel.postMessage('') }
  }
  addEventListener('storage', ({ key }) => {
    if (key === CHANNEL) onNotice()
  })
  return {
    notify() {
      try {
        // Only a value that changes is an event for the other tabs.
        localStorage.setItem(CHANNEL, String(Date.now()))
      } catch {
        // Without storage they find out when they are shown.
      }
    },
  }
}
