import { type Client, client } from '@portico/client/client'
import { type StoredJwt, storedJwt } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { IDENTITY_TOKEN_UPDATED, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import { partLoader } from '@portico/shell/module-failures'
import type { LoadPart } from '@portico/shell/part'
import { browserPasskeys, type Passkeys } from '@portico/shell/passkeys'
import { openTelemetry, type Telemetry } from '@portico/telemetry'
import { sessionReplayHeaders } from '@portico/telemetry/session-replay'

/** The side effects and browser APIs that features use; created once and provided through context. */
export interface Environment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Session storage: lasts as long as the tab. */
  readonly storage: TextStorage
  /** Whether this is production, where wallet provider IDs have no suffix (§3). */
  readonly production: boolean
  /** Notifies the page's other scripts that a new identity token was stored (§7.4). */
  readonly identityTokenUpdated: () => void
  /** Navigates and replaces the current history entry. */
  readonly replace: (to: string) => void
  readonly reload: () => void
  readonly reportError: (error: unknown) => void
  readonly passkeys: Passkeys
  readonly telemetry: Telemetry
  /** Whether this browser has a stored wallet connection. */
  readonly hasWalletConnection: () => boolean
  /** Locks shared by all tabs of this origin. */
  readonly locks: () => Pick<LockManager, 'request'>
  readonly loadPart: LoadPart
  /** Copies text to the clipboard; resolves to false if the browser denied access. */
  readonly copy: (text: string) => Promise<boolean>
  /** Downloads a text as a file. */
  readonly download: (name: string, text: string) => void
}

export function browserEnvironment(page: PageData, window: Window): Environment {
  const jwt = storedJwt(window)
  const storage = textStorage(() => window.sessionStorage)
  const reload = () => window.location.reload()
  return {
    client: client({
      jwt,
      organization: page.organization.orgCode,
      replayHeaders: sessionReplayHeaders(window, page),
    }),
    jwt,
    storage,
    production: !page.demonstration,
    identityTokenUpdated: () => void window.dispatchEvent(new Event(IDENTITY_TOKEN_UPDATED)),
    replace: (to) => window.location.replace(to),
    reload,
    reportError: (error) => window.reportError(error),
    passkeys: browserPasskeys,
    telemetry: openTelemetry(window, page),
    hasWalletConnection: () =>
      textStorage(() => window.localStorage).read(STORAGE_KEYS.walletConnect) !== undefined,
    locks: () => window.navigator.locks,
    loadPart: partLoader({ storage, reload }),
    copy: (text) =>
      window.navigator.clipboard.writeText(text).then(
        () => true,
        // The browser denied clipboard access; the text can still be selected or downloaded.
        () => false,
      ),
    download(name, text) {
      const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
      const link = Object.assign(window.document.createElement('a'), { href: url, download: name })
      link.click()
      URL.revokeObjectURL(url)
    },
  }
}

export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
