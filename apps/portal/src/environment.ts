import { type Client, client } from '@portico/client/client'
import { type StoredJwt, storedJwt } from '@portico/client/stored-jwt'
import type { PageData } from '@portico/contracts/page-data'
import { IDENTITY_TOKEN_UPDATED, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { environmentContext } from '@portico/shell/environment-context'
import { partLoader } from '@portico/shell/module-failures'
import type { LoadPart } from '@portico/shell/part'
import { browserPasskeys, type Passkeys } from '@portico/shell/passkeys'
import { type TextStorage, textStorage } from '@portico/shell/text-storage'
import { openTelemetry, type Telemetry } from '@portico/telemetry'
import { sessionReplayHeaders } from '@portico/telemetry/session-replay'

/** Everything outside the page that its features use; made once and handed down. */
export interface Environment {
  readonly client: Client
  readonly jwt: StoredJwt
  /** Lasts as long as the browser's tab. */
  readonly storage: TextStorage
  /** Whether this is production, where wallet providers have no suffix (§3). */
  readonly production: boolean
  /** Tells the page's other scripts that another identity token was stored (§7.4). */
  readonly identityTokenUpdated: () => void
  /** Leaves for another page and takes this one out of the history. */
  readonly replace: (to: string) => void
  readonly reload: () => void
  readonly reportError: (error: unknown) => void
  readonly passkeys: Passkeys
  readonly telemetry: Telemetry
  /** Whether this browser keeps a wallet's connection. */
  readonly keepsWallet: () => boolean
  /** Locks shared by all tabs of this origin. */
  readonly locks: () => Pick<LockManager, 'request'>
  readonly loadPart: LoadPart
  /** Puts a text where it can be pasted from; tells whether the browser let us. */
  readonly copy: (text: string) => Promise<boolean>
  /** Hands a text to the person as a file. */
  readonly download: (name: string, text: string) => void
}

/** The environment of a browser's window. */
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
    keepsWallet: () =>
      textStorage(() => window.localStorage).read(STORAGE_KEYS.walletConnect) !== undefined,
    locks: () => window.navigator.locks,
    loadPart: partLoader({ storage, reload }),
    copy: (text) =>
      window.navigator.clipboard.writeText(text).then(
        () => true,
        // Forbidden by the browser: the text can still be marked or downloaded.
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

/** Hands the environment down, and gives what is around a component. */
export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
