import { ErrorBoundary } from '@portico/shell/error-boundary'
import { lazyComponent } from '@portico/shell/lazy-component'
import { Button } from '@portico/ui/button'
import { Screen } from '@portico/wallet-kit/screen'
import { useSyncExternalStore } from 'react'
import { useMobileEnvironment } from './environment.ts'
import styles from './mobile-wallet.module.css'

const Wallet = lazyComponent(async () => {
  const { Wallet } = await import('./wallet/wallet.tsx')
  return Wallet
})

/** The mobile wallet, in the one window that may run it. */
export function MobileWallet() {
  const { page, singleWindow } = useMobileEnvironment()
  const isCurrent = useSyncExternalStore(singleWindow.subscribe, singleWindow.isCurrent)
  return (
    <ErrorBoundary
      supportPhone={page.supportPhone}
      supportEmail={page.supportEmail}
      signedIn={false}
      onRetry={() => window.location.reload()}
    >
      {isCurrent ? (
        <Wallet />
      ) : (
        <div className={styles.elsewhere}>
          <Screen
            title="Your wallet is open in another window"
            actions={<Button onClick={singleWindow.takeOver}>Use it here</Button>}
          >
            <p>Only one window at a time can answer requests.</p>
          </Screen>
        </div>
      )}
    </ErrorBoundary>
  )
}
