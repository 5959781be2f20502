import { Button } from '@portico/ui/button'
import type { ReactNode } from 'react'
import styles from './wallet-bar.module.css'

/**
 * Shown below the hosted wallet's panel when the panel fills the screen: what the page is waiting for, and Cancel.
 * On wider screens, and while the panel is minimized or closed, the bar is hidden.
 */
export function WalletBar({
  onCancel,
  children,
}: {
  /** Undefined if only the wallet can still reject the request. */
  onCancel: (() => void) | undefined
  /** What the page is waiting for. */
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
