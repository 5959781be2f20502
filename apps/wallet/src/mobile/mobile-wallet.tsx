import { Logo } from '@portico/shell/logo'
import { part } from '@portico/shell/part'
import { Screen } from '@portico/wallet-kit/screen'
import { useEffect, useState } from 'react'
import { useMobileEnvironment } from './environment.ts'
import styles from './mobile-wallet.module.css'

const Scan = part(async () => {
  const { Scan } = await import('./scan/scan.tsx')
  return Scan
})

/** The mobile wallet: the brand bar with the current screen below it. */
export function MobileWallet({ arrivalCode }: { arrivalCode: string | undefined }) {
  const { page } = useMobileEnvironment()
  const [code, setCode] = useState(arrivalCode)
  useEffect(() => {
    document.documentElement.dataset.ready = ''
  }, [])
  return (
    <div className={styles.wallet}>
      <header className={styles.bar}>
        <Logo {...page} />
      </header>
      {code === undefined ? (
        <Scan onCode={setCode} />
      ) : (
        <Screen title="One moment">
          <p>Connecting to the page.</p>
        </Screen>
      )}
    </div>
  )
}
