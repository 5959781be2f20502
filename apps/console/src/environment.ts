import { type Client, client } from '@portico/client/client'
import { http } from '@portico/client/http'
import { storedJwt, storeViewingJwt } from '@portico/client/stored-jwt'
import type { ConsolePage } from '@portico/contracts/console-page'
import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import type { LoadModule } from '@portico/shell/lazy-component'
import { isServerReachable, leavePage } from '@portico/shell/leave-page'
import { moduleLoader } from '@portico/shell/module-failures'
import { browserPasskeys, type Passkeys } from '@portico/shell/passkeys'

/** How long a file can be read for a download. */
const DOWNLOAD_TIMEOUT_MS = 60_000

/** The side effects and browser APIs that the console uses; created once and provided through context. */
export interface Environment {
  readonly page: ConsolePage
  readonly client: Client
  readonly passkeys: Pick<Passkeys, 'request' | 'supported'>
  readonly now: () => number
  readonly reload: () => void
  /** Loads another page instead of this one. */
  readonly replace: (to: string) => void
  readonly reportError: (error: unknown) => void
  /** Copies text to the clipboard; resolves to false if the browser denied access. */
  readonly copy: (text: string) => Promise<boolean>
  /** Reads a file of the admin API. */
  readonly readFile: (
    path: string,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) => Promise<Uint8Array>
  /** Saves a file on this device. */
  readonly download: (name: string, content: string | Uint8Array) => void
  /** Opens the pages of a person, in the session with this token. */
  readonly viewPages: (viewing: {
    readonly jwt: string
    readonly sessionUuid: string
    readonly organizationCode: string
  }) => void
  /** Calls the listener when another tab logs out; returns the unsubscribe function. */
  readonly watchLogout: (listener: () => void) => () => void
  readonly network: {
    readonly isOnline: () => boolean
    /** Calls the listener when the browser goes online or offline; returns the unsubscribe function. */
    readonly watch: (listener: () => void) => () => void
  }
  /** Of this tab. */
  readonly storage: TextStorage
  readonly loadModule: LoadModule
}

export function browserEnvironment(page: ConsolePage, window: Window): Environment {
  const jwt = storedJwt(window)
  const send = http({ jwt })
  const reload = () => leavePage(window, () => window.location.reload())
  const storage = textStorage(() => window.sessionStorage)
  return {
    page,
    client: client({ jwt }),
    passkeys: browserPasskeys,
    now: () => Date.now(),
    reload,
    replace: (to) => leavePage(window, () => window.location.replace(to)),
    reportError: (error) => window.reportError(error),
    async copy(text) {
      try {
        await window.navigator.clipboard.writeText(text)
        return true
      } catch {
        // The browser denied access, or has no clipboard here. The text is also on the screen.
        return false
      }
    },
    // The answer of a call that expects bytes is bytes.
    readFile: (path, params, signal) =>
      send(path, { params, signal, expect: 'bytes' }) as Promise<Uint8Array>,
    download(name, content) {
      // No caller has shared memory, which a blob cannot contain.
      const blob = new Blob([content as string | Uint8Array<ArrayBuffer>])
      const url = URL.createObjectURL(blob)
      const link = Object.assign(window.document.createElement('a'), { href: url, download: name })
      link.click()
      // A browser may read the file only later, after it asked where to save it.
      window.setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_TIMEOUT_MS)
    },
    viewPages({ jwt: token, sessionUuid, organizationCode }) {
      storeViewingJwt(window, sessionUuid, token)
      const query = new URLSearchParams({ orgCode: organizationCode })
      window.location.assign(`${DEFAULT_REDIRECT}?${query}`)
    },
    watchLogout: (listener) => jwt.watch((stored) => stored || listener()),
    network: {
      isOnline: () => window.navigator.onLine,
      watch(listener) {
        for (const event of ['online', 'offline']) window.addEventListener(event, listener)
        return () => {
          for (const event of ['online', 'offline']) window.removeEventListener(event, listener)
        }
      },
    },
    storage,
    loadModule: moduleLoader({ storage, reload, isReachable: () => isServerReachable(window) }),
  }
}

export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
