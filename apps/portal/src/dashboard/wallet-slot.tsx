import { part } from '@portico/shell/part'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import { useState, useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './dashboard.module.css'

const WalletCard = part(() =>
  import('../wallet-card/wallet-card.tsx').then((loaded) => loaded.WalletCard),
)

/** Where the wallet card appears: at once for who is connected, else when it is wanted; until then nothing is fetched. */
export function WalletSlot() {
  const { keepsWallet } = useEnvironment()
  const kept = useSyncExternalStore(never, keepsWallet, () => false)
  const [wanted, setWanted] = useState(false)
  return (
    <section aria-labelledby="wallet">
      <Stack gap="inside">
        <h2 id="wallet">Wallet</h2>
        {wanted || kept ? (
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
                onClick={() => setWanted(true)}
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
