import { lazyComponent } from '@portico/shell/lazy-component'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import styles from './wallet.module.css'

const WalletCard = lazyComponent(() =>
  import('../wallet-card/wallet-card.tsx').then((loaded) => loaded.WalletCard),
)

/** The connected wallet's page: connecting, sending and signing. */
export function Wallet() {
  const { switches } = useActingAccount()
  // The server does not load the card.
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <WalletView>
      {isHydrated ? (
        // The card restarts after an account switch.
        <WalletCard key={switches} />
      ) : (
        <Skeleton shape="card" label="Loading your wallet" />
      )}
    </WalletView>
  )
}

const never = () => () => undefined

export function WalletView({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="wallet" className={styles.page}>
      <Stack>
        <h1 id="wallet" tabIndex={-1}>
          Wallet
        </h1>
        {children}
      </Stack>
    </section>
  )
}
