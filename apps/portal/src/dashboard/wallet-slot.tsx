import { part } from '@portico/shell/part'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useRef, useState, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './dashboard.module.css'

const WalletCard = part(() =>
  import('../wallet-card/wallet-card.tsx').then((loaded) => loaded.WalletCard),
)

/** Loads and shows the wallet card: immediately if a connection is stored, otherwise when the user opens it. */
export function WalletSlot() {
  const { hasWalletConnection } = useEnvironment()
  const isConnected = useSyncExternalStore(never, hasWalletConnection, () => false)
  const [wanted, setWanted] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="wallet">
      <Stack gap="inside">
        <h2 id="wallet" ref={heading} tabIndex={-1}>
          Wallet
        </h2>
        {wanted || isConnected ? (
          <WalletCard />
        ) : (
          <>
            <Stack quiet>
              <p>Connect a wallet to sign messages and to act for an organization.</p>
            </Stack>
            <p className={styles.open}>
              <Button
                kind="secondary"
                onPointerEnter={WalletCard.preload}
                onFocus={WalletCard.preload}
                onClick={() => {
                  setWanted(true)
                  // The button is replaced by the card.
                  heading.current?.focus({ preventScroll: true })
                }}
              >
                Open your wallet
              </Button>
            </p>
          </>
        )}
      </Stack>
    </section>
  )
}

const never = () => () => undefined
