import { part } from '@portico/shell/part'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { useActingAccount } from '../acting-account/acting-account.tsx'
import styles from './wallet.module.css'

const WalletCard = part(() =>
  import('../wallet-card/wallet-card.tsx').then((loaded) => loaded.WalletCard),
)

/** The page of the connected wallet: connecting, sending and signing. */
export function Wallet() {
  const { switches } = useActingAccount()
  return (
    <WalletView>
      {/* After a switch of the account, the card starts again. */}
      <WalletCard key={switches} />
    </WalletView>
  )
}

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
