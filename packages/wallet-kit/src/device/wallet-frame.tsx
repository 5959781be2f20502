import { Icon } from '@portico/ui/icon'
import type { ReactNode } from 'react'
import styles from './device-wallet.module.css'
import { useDeviceEnvironment } from './environment.ts'

/** The header with a screen below it. */
export function WalletFrame({
  brand,
  notice,
  onLock,
  children,
}: {
  brand: ReactNode
  notice?: ReactNode
  onLock?: (() => void) | undefined
  children: ReactNode
}) {
  const { network } = useDeviceEnvironment()
  return (
    <div className={styles.wallet}>
      <header className={styles.bar}>
        <div className={styles.brand}>{brand}</div>
        <p className={styles.network}>{network}</p>
        {onLock && (
          <button type="button" className={styles.lock} onClick={onLock}>
            <Icon name="lock" />
            Lock
          </button>
        )}
      </header>
      {notice}
      {children}
    </div>
  )
}
