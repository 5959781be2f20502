import type { WalletAccount } from '@portico/contracts/wallet'
import { AccountCard } from '@portico/shell/account-card'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import type { Event, State } from './select-wallet.flow.ts'
import styles from './select-wallet.module.css'

export type SelectWalletViewProps = {
  state: State
  send: (event: Event) => void
  /** The page the user came from. */
  backTo: string
  supportPhone: string
}

/** The wallet list of the authentication flow (§4.8). */
export function SelectWalletView({ state, send, backTo, supportPhone }: SelectWalletViewProps) {
  if (state.step !== 'Select') {
    return <Skeleton shape="card" label="One moment…" />
  }
  const { wallets, choosing, failure } = state
  return (
    <Stack>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {wallets === 'reading' && <Skeleton shape="card" count={2} label="Loading your wallets" />}
      {wallets === 'unavailable' && (
        <p>
          <LinkButton onClick={() => send({ type: 'retried' })}>Try again</LinkButton>
        </p>
      )}
      {typeof wallets === 'object' && (
        <ul className={styles.list}>
          {wallets.map((wallet) => (
            <li key={wallet.address}>
              <AccountCard
                choice={ownedBy(wallet)}
                isBusy={choosing?.address === wallet.address}
                onChoose={() => send({ type: 'walletChosen', wallet })}
              />
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link href={backTo}>Back</Link>
      </p>
    </Stack>
  )
}

/** A wallet as the account it owns (§6: the owner has the account's address). */
function ownedBy({ name, address, type, verified }: WalletAccount) {
  return {
    account: { name, address },
    wallet: { name, address, type, verified, authorizationType: 'Owner' as const },
  }
}
