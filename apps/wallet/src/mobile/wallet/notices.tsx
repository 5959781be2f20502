import { Button } from '@portico/ui/button'
import { Icon, type IconName } from '@portico/ui/icon'
import type { ConnectFailure } from '@portico/wallet-kit/device-wallet'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import styles from './notices.module.css'
import type { OpenWallet } from './open-wallet.ts'
import type { Connecting } from './use-connecting.ts'
import type { WalletNotifications } from './use-notifications.ts'
import { useVaultStep } from './use-vault-step.ts'

const FAILURES = {
  'account-unavailable': 'The page requires an account that is not in this wallet.',
  'code-unreadable': 'This code is not a connection. Scan the code that the page shows.',
  failed: 'The page did not connect. Open a new code there and try again.',
  rejected: 'You declined the connection.',
  'relay-unreachable':
    'The page cannot be reached. Check that you are online, then open a new code there.',
  unanswered: 'The page did not respond. The code may have been used before: open a new one there.',
  'wallet-full':
    'This wallet has no room for another connection. Answer the requests that wait, or disconnect pages that you no longer use, then try again.',
} as const satisfies Record<ConnectFailure, string>

/** The notices of the mobile wallet, above its screens: one at a time, the most urgent first. */
export function Notices({
  wallet,
  connecting,
  onDismiss,
  notifications,
}: {
  wallet: OpenWallet
  connecting: Connecting
  onDismiss: () => void
  notifications: WalletNotifications
}): ReactNode {
  const { online, updates, install, storage, asked, page, reportError } = useMobileEnvironment()
  const isOnline = useSyncExternalStore(online.subscribe, online.isOnline)
  const hasUpdate = useSyncExternalStore(updates.subscribe, updates.isReady)
  const canInstall = useSyncExternalStore(install.subscribe, install.isOffered)
  const promptId = useSyncExternalStore(
    wallet.requests.subscribe,
    () => wallet.requests.prompt()?.id,
  )
  const vaultStep = useVaultStep(wallet)
  const [isKept, setIsKept] = useState<boolean>()
  // Asked once; the answer is not needed to draw anything else.
  const [answered, setAnswered] = useState<readonly string[]>([])
  const isOpen = (question: string) => !answered.includes(question) && !asked.has(question)
  const settle = (question: string) => {
    asked.add(question)
    setAnswered([...answered, question])
  }

  // Nothing may distract from a request.
  if (promptId !== undefined && vaultStep === 'unlocked') return null
  if (connecting.step === 'failed') {
    return (
      <Notice
        icon="warning"
        title="Not connected"
        actions={
          <Button kind="secondary" onClick={onDismiss}>
            OK
          </Button>
        }
      >
        {FAILURES[connecting.failure]}
      </Notice>
    )
  }
  if (!isOnline) {
    return (
      <Notice icon="info" title="You are offline">
        Your wallet opens without a network. Connecting, signing for a page and sending wait until
        you are online.
      </Notice>
    )
  }
  if (connecting.step === 'joining') {
    return (
      <Notice icon="info" title="Connecting to the page">
        {vaultStep === 'unlocked'
          ? 'Its request appears here in a moment.'
          : 'Its request appears as soon as your wallet is open.'}
      </Notice>
    )
  }
  if (hasUpdate) {
    return (
      <Notice
        icon="info"
        title="A new version is ready"
        actions={<Button onClick={updates.install}>Update</Button>}
      >
        It takes a moment, and your wallet locks.
      </Notice>
    )
  }
  if (vaultStep !== 'unlocked') return null
  if (isKept === false && isOpen('storage')) {
    return (
      <Notice
        icon="warning"
        title="Your browser may delete this wallet"
        actions={
          <Button kind="secondary" onClick={() => settle('storage')}>
            OK
          </Button>
        }
      >
        Keep your recovery words safe: with them you can restore this wallet anywhere.
      </Notice>
    )
  }
  if (storage.isSupported && isKept === undefined && isOpen('storage')) {
    return (
      <Notice
        icon="info"
        title="Keep your wallet on this phone"
        actions={
          <>
            <Button kind="secondary" onClick={() => settle('storage')}>
              Not now
            </Button>
            <Button
              onClick={() => {
                storage.persist().then((kept) => {
                  setIsKept(kept)
                  if (kept) settle('storage')
                }, reportError)
              }}
            >
              Keep it
            </Button>
          </>
        }
      >
        When space runs short, browsers delete what sites have stored. You can ask yours to keep
        this wallet. Only your recovery words restore it for certain.
      </Notice>
    )
  }
  if (notifications.hasConnections && notifications.state === 'off' && isOpen('notifications')) {
    return (
      <Notice
        icon="info"
        title="Get notified of requests"
        actions={
          <>
            <Button kind="secondary" onClick={() => settle('notifications')}>
              Not now
            </Button>
            <Button
              onClick={() => {
                settle('notifications')
                notifications.turnOn().catch(reportError)
              }}
            >
              Turn on
            </Button>
          </>
        }
      >
        When a request arrives while the wallet is closed, you get a notification. It names neither
        the page nor the request.
      </Notice>
    )
  }
  if (canInstall && isOpen('install')) {
    return (
      <Notice
        icon="info"
        title={`Install ${page.wallet.mobileName}`}
        actions={
          <>
            <Button kind="secondary" onClick={() => settle('install')}>
              Not now
            </Button>
            <Button
              onClick={() => {
                settle('install')
                install.prompt().catch(reportError)
              }}
            >
              Install
            </Button>
          </>
        }
      >
        It gets an icon on your home screen and opens without the browser’s bars.
      </Notice>
    )
  }
  return null
}

function Notice({
  icon,
  title,
  actions,
  children,
}: {
  icon: IconName
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={styles.notice} role="status">
      <Icon name={icon} />
      <div>
        <h2>{title}</h2>
        <p>{children}</p>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </section>
  )
}
