import { Button } from '@portico/ui/button'
import type { ReactNode } from 'react'
import styles from './wallet-bar.module.css'

/**
 * What a page shows below the hosted wallet's panel where that fills the screen: what is awaited, and the way out of it.
 * Elsewhere, and while the panel is minimized or closed, there is no bar.
 */
export function WalletBar({
  onCancel,
  children,
}: {
  /** Missing where only the wallet can still refuse. */
  onCancel: (() => void) | undefined
  /** What is awaited. */
  children: ReactNode
}) {
  return (
    <div className={styles.bar} data-part="wallet-bar">
      <p role="status">{children}</p>
      {onCancel && (
        <Button kind="secondary" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  )
}
