import { Button } from '@portico/ui/button'
import { Spinner } from '@portico/ui/spinner'
import { Screen } from '@portico/wallet-kit/screen'
import { useEffect, useState } from 'react'
import { useMobileEnvironment } from '../environment.ts'
import { type OpenWallet, openWallet } from './open-wallet.ts'
import { OpenedWallet } from './opened-wallet.tsx'
import styles from './wallet.module.css'

type Opening = { readonly step: 'opening' } | { readonly step: 'failed' } | OpenWallet

/** Opens this device's wallet while it is shown, and closes its connections afterwards. */
export function Wallet() {
  const { page, window, reportError } = useMobileEnvironment()
  const [opening, setOpening] = useState<Opening>({ step: 'opening' })

  useEffect(() => {
    let isShown = true
    const opened = openWallet(page, window)
    opened.then(
      (wallet) => isShown && setOpening(wallet),
      (error: unknown) => {
        reportError(error)
        if (isShown) setOpening({ step: 'failed' })
      },
    )
    return () => {
      isShown = false
      opened.then(({ requests }) => requests.stop()).catch(() => undefined)
    }
  }, [page, window, reportError])

  const isReady = !('step' in opening) || opening.step === 'failed'
  useEffect(() => {
    if (isReady) document.documentElement.dataset.ready = ''
  }, [isReady])

  if (!('step' in opening)) return <OpenedWallet wallet={opening} />
  if (opening.step === 'failed') return <WalletUnavailable />
  return (
    <div className={styles.wallet}>
      <Spinner label="Opening your wallet…" />
    </div>
  )
}

/** The browser's storage cannot be used. */
export function WalletUnavailable() {
  const { window } = useMobileEnvironment()
  return (
    <div className={styles.wallet}>
      <Screen
        title="Your wallet could not be opened"
        actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        <p>
          Your browser does not let this page store anything. Leave the private window or allow
          cookies for this site, and make sure that the device has free storage.
        </p>
      </Screen>
    </div>
  )
}
