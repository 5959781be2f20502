import { MOBILE_WALLET_PATH, type MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { textStorage } from '@portico/contracts/text-storage'
import { environmentContext } from '@portico/shell/environment-context'
import { type Install, installOffer } from './install.ts'
import { type Notifications, notifications } from './notifications/notifications.ts'
import { type Camera, openCamera } from './scan/camera.ts'
import { type Decoder, openDecoder } from './scan/decoder.ts'
import { serviceWorkerUpdates, type Updates } from './service-worker/service-worker-updates.ts'
import { type SingleWindow, singleWindow } from './single-window.ts'

/** The dependencies of the mobile wallet's screens. */
export interface MobileEnvironment {
  readonly page: MobileWalletPage
  readonly window: Window
  readonly hasArrivalCode: () => boolean
  /** Returns the connection code that the page was opened with, once. */
  readonly takeArrivalCode: () => string | undefined
  readonly camera: Camera
  readonly openDecoder: () => Decoder
  /** Whether the user has just tapped, so that the browser may ask for a permission. */
  readonly isInTap: () => boolean
  readonly singleWindow: SingleWindow
  readonly updates: Updates
  readonly online: Online
  readonly install: Install
  readonly storage: PersistentStorage
  readonly asked: AskedQuestions
  readonly notifications: Notifications
  /** Takes the user back to the page that asked. */
  readonly returnTo: (url: string) => void
  readonly reportError: (error: unknown) => void
}

interface Online {
  readonly isOnline: () => boolean
  /** Calls back on changes; returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
}

/** The browser's promise not to delete the wallet when space runs short. */
interface PersistentStorage {
  readonly isSupported: boolean
  readonly persist: () => Promise<boolean>
}

/** What the user was asked and has answered, so that it is asked once. */
interface AskedQuestions {
  readonly has: (question: string) => boolean
  readonly add: (question: string) => void
}

/** How long the browser may take to close the window. */
const CLOSE_LIMIT_MS = 300

export function browserEnvironment(
  page: MobileWalletPage,
  { window, arrivalCode }: { window: Window & typeof globalThis; arrivalCode: string | undefined },
): MobileEnvironment {
  let untaken = arrivalCode
  const { navigator, document, location } = window
  return {
    page,
    window,
    hasArrivalCode: () => untaken !== undefined,
    takeArrivalCode() {
      const code = untaken
      untaken = undefined
      return code
    },
    camera: openCamera({ mediaDevices: navigator.mediaDevices, document }),
    openDecoder,
    // Without this interface the camera is started by its button.
    isInTap: () => navigator.userActivation?.isActive ?? false,
    singleWindow: singleWindow(navigator.locks),
    updates: serviceWorkerUpdates(page, window),
    online: {
      isOnline: () => navigator.onLine,
      subscribe(listener) {
        window.addEventListener('online', listener)
        window.addEventListener('offline', listener)
        return () => {
          window.removeEventListener('online', listener)
          window.removeEventListener('offline', listener)
        }
      },
    },
    install: installOffer(window),
    storage: {
      isSupported: typeof navigator.storage?.persist === 'function',
      persist: () => navigator.storage.persist(),
    },
    asked: askedQuestions(window),
    notifications: notifications(page, window),
    returnTo(url) {
      // A tab that a page opened reveals the page again when it is closed; other windows are not closed by scripts.
      window.close()
      window.setTimeout(() => location.assign(url), CLOSE_LIMIT_MS)
    },
    reportError: (error) => window.reportError(error),
  }
}

function askedQuestions(window: Window): AskedQuestions {
  const storage = textStorage(() => window.localStorage, new Map())
  const key = (question: string) => `${MOBILE_WALLET_PATH} asked ${question}`
  return {
    has: (question) => storage.read(key(question)) !== undefined,
    add: (question) => storage.write(key(question), ''),
  }
}

export const {
  EnvironmentContext: MobileEnvironmentContext,
  useEnvironment: useMobileEnvironment,
} = environmentContext<MobileEnvironment>()
