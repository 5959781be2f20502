import '@portico/contracts/refusal-sentences'
import type { ChainNode } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import type { PageData } from '@portico/contracts/page-data'
import { parseJson } from '@portico/contracts/parse-json'
import { IDENTITY_TOKEN_UPDATED, STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { type TextStorage, textStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import { leavePage } from '@portico/shell/leave-page'
import { type PageEnvironment, pageEnvironment } from '@portico/shell/page-environment'
import { openTelemetry, type Telemetry } from '@portico/telemetry'
import { sessionReplayHeaders } from '@portico/telemetry/session-replay'

/** How long a downloaded file's object URL stays valid. */
const DOWNLOAD_TIMEOUT_MS = 60_000

/** The side effects and browser APIs that features use; created once and provided through context. */
export interface Environment extends PageEnvironment {
  /** Loads another page. */
  readonly navigate: (to: string) => void
  /** Navigates and replaces the current history entry. */
  readonly replace: (to: string) => void
  readonly telemetry: Telemetry
  /** Local storage: stays on this device. */
  readonly deviceStorage: TextStorage
  /** Whether this browser has a stored wallet connection that has not expired. */
  readonly hasWalletConnection: () => boolean
  /** Calls the listener when the page stores a new identity token (§7.4); returns the unsubscribe function. */
  readonly watchIdentityToken: (listener: () => void) => () => void
  readonly network: {
    readonly isOnline: () => boolean
    /** Calls the listener when the browser goes online or offline; returns the unsubscribe function. */
    readonly watch: (listener: () => void) => () => void
  }
  /** Locks shared by all tabs of this origin. */
  readonly locks: () => Pick<LockManager, 'request'>
  /** The chain's REST interface, on this origin. */
  readonly chainNode: ChainNode
  /** Downloads a text or bytes as a file. */
  readonly download: (name: string, content: string | Uint8Array) => void
}

export function browserEnvironment(page: PageData, window: Window): Environment {
  const watch =
    (...events: readonly string[]) =>
    (listener: () => void) => {
      for (const event of events) window.addEventListener(event, listener)
      return () => {
        for (const event of events) window.removeEventListener(event, listener)
      }
    }
  const deviceStorage = textStorage(() => window.localStorage)
  return {
    ...pageEnvironment(page, window, { replayHeaders: sessionReplayHeaders(window, page) }),
    navigate: (to) => leavePage(window, () => window.location.assign(to)),
    replace: (to) => leavePage(window, () => window.location.replace(to)),
    telemetry: openTelemetry(window, page),
    deviceStorage,
    // While an operator views the pages, the wallet connected in this browser is not the person's.
    hasWalletConnection: () =>
      page.session?.impersonation === undefined && hasWalletConnection(deviceStorage),
    watchIdentityToken: watch(IDENTITY_TOKEN_UPDATED),
    network: {
      isOnline: () => window.navigator.onLine,
      watch: watch('online', 'offline'),
    },
    locks: () => window.navigator.locks,
    chainNode: httpChainNode('/chain'),
    download(name, content) {
      // Bytes without a type are only ever saved. No caller has shared memory, which a blob cannot contain.
      const blob =
        typeof content === 'string'
          ? new Blob([content], { type: 'text/plain' })
          : new Blob([content as Uint8Array<ArrayBuffer>])
      const url = URL.createObjectURL(blob)
      const link = Object.assign(window.document.createElement('a'), { href: url, download: name })
      link.click()
      // A browser may read the file only after asking where to save it.
      window.setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_TIMEOUT_MS)
    },
  }
}

/** Reads only the expiry (§3); the wallet page loads and restores the whole session. */
function hasWalletConnection(storage: TextStorage): boolean {
  const stored = parseJson(storage.read(STORAGE_KEYS.walletConnect))
  const { connectionEXP } = (stored ?? {}) as { connectionEXP?: unknown }
  return typeof connectionEXP === 'number' && connectionEXP > Date.now()
}

export const { EnvironmentContext, useEnvironment } = environmentContext<Environment>()
