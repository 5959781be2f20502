import { type Client, client } from '@portico/client/client'
import type { HttpOptions } from '@portico/client/http'
import { type StoredJwt, storedJwt, viewingJwtLocation } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { parseJson } from '@portico/contracts/parse-json'
import { IDENTITY_TOKEN_UPDATED, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import type { LoadModule } from './lazy-component.tsx'
import { isServerReachable, leavePage } from './leave-page.ts'
import { moduleLoader } from './module-failures.ts'
import { browserPasskeys, type Passkeys } from './passkeys.ts'

/** The side effects and browser APIs that every application uses. */
export interface PageEnvironment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Session storage: lasts as long as the tab. */
  readonly storage: TextStorage
  /** Whether this is production, where wallet provider IDs have no suffix (§3). */
  readonly production: boolean
  readonly reload: () => void
  readonly reportError: (error: unknown) => void
  /** Notifies the page's other scripts that a new identity token was stored (§7.4). */
  readonly identityTokenUpdated: () => void
  /** Copies text to the clipboard; resolves to false if the browser denied access. */
  readonly copy: (text: string) => Promise<boolean>
  readonly passkeys: Passkeys
  readonly loadModule: LoadModule
}

/** The environment in a browser. */
export function pageEnvironment(
  page: PageData,
  window: Window,
  options: Pick<HttpOptions, 'replayHeaders'> = {},
): PageEnvironment {
  const viewing = page.session?.impersonation
  const jwt = storedJwt(window, viewing && viewingJwtLocation(viewing.sessionUuid))
  const storage = textStorage(() => window.sessionStorage)
  const reload = () => leavePage(window, () => window.location.reload())
  return {
    client: client({
      jwt,
      organization: page.organization.orgCode,
      // While an operator views a user's pages, the wallet connected in this browser is the operator's own.
      ...(viewing === undefined && {
        walletJwt: () => connectedWalletToken(textStorage(() => window.localStorage)),
      }),
      ...options,
    }),
    jwt,
    storage,
    production: !page.demonstration,
    reload,
    reportError: (error) => window.reportError(error),
    identityTokenUpdated: () => void window.dispatchEvent(new Event(IDENTITY_TOKEN_UPDATED)),
    async copy(text) {
      try {
        await window.navigator.clipboard.writeText(text)
        return true
      } catch {
        // The browser denied access or has no clipboard. The text is on the screen as well.
        return false
      }
    },
    passkeys: browserPasskeys,
    loadModule: moduleLoader({ storage, reload, isReachable: () => isServerReachable(window) }),
  }
}

/** Valid in a header; another script may have stored anything. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** The token of the connected wallet: the stored `signedJWT` (§7.1). */
function connectedWalletToken(storage: TextStorage): string | undefined {
  const stored = parseJson(storage.read(STORAGE_KEYS.walletConnect)) as {
    signedJWT?: unknown
  } | null
  const token = stored?.signedJWT
  return typeof token === 'string' && TOKEN.test(token) ? token : undefined
}
