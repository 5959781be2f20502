import {
  createWalletAddress,
  selectAccountAddress,
  verifyAddress,
} from '@portico/rules/wallet-redirects'
import { useWalletBrand } from '@portico/shell/wallet-brand'
import { Alert } from '@portico/ui/alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Link } from '@portico/ui/link'
import { LinkButton } from '@portico/ui/link-button'
import { RowLink } from '@portico/ui/row-link'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { AccountCards } from '../account-cards/account-cards.tsx'
import {
  type ActingAccount,
  isActing,
  useActingAccount,
} from '../acting-account/acting-account.tsx'
import { Invitations } from '../invitations/invitations.tsx'
import { ACCOUNTS_PATH, WALLET_PATH } from '../routes.ts'
import styles from './accounts.module.css'

/** The user's accounts (§2.7): which one the session acts as, and how to get another. */
export function Accounts({ supportPhone }: { supportPhone: string }) {
  return (
    <AccountsView {...useActingAccount()}>
      <Invitations supportPhone={supportPhone} />
    </AccountsView>
  )
}

export function AccountsView({ children, ...acting }: ActingAccount & { children?: ReactNode }) {
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Accounts</h1>
        <p className={styles.lead}>You act as one account at a time. Choose it here.</p>
      </Stack>
      <List {...acting} />
      {children}
    </Stack>
  )
}

function List({ accounts, failure, retry, choosing, choose }: ActingAccount) {
  const { accountName } = useWalletBrand()
  if (failure) {
    return (
      <Alert tone="warn" title="We could not load your accounts">
        <p>Nothing happened to them.</p>
        <p>
          <LinkButton onClick={retry}>Try again</LinkButton>
        </p>
      </Alert>
    )
  }
  if (accounts === undefined)
    return <Skeleton shape="card" count={3} label="Loading your accounts" />
  if (accounts.items.length === 0) {
    return (
      <div className={styles.empty}>
        <h2>No account yet</h2>
        <p>
          Create a {accountName} here, or connect a wallet that you already have. Your accounts then
          appear on this page.
        </p>
        <div className={styles.actions}>
          <AnchorButton href={createWalletAddress(ACCOUNTS_PATH)}>
            Create a {accountName}
          </AnchorButton>
          <AnchorButton kind="secondary" href={verifyAddress(ACCOUNTS_PATH)}>
            Connect a Wallet
          </AnchorButton>
        </div>
      </div>
    )
  }
  return (
    <>
      <div className={styles.list}>
        <AccountCards
          items={accounts.items}
          isSelected={(choice) => isActing(accounts, choice)}
          choosing={choosing}
          onChoose={choose}
        />
      </div>
      <RowLink href={WALLET_PATH} title="Open your wallet" />
      <section className={styles.others} aria-labelledby="others">
        <h2 id="others">Looking for something else?</h2>
        <ul>
          <li>
            <Link href={verifyAddress(ACCOUNTS_PATH)}>Connect a Wallet</Link>
          </li>
          <li>
            <Link href={createWalletAddress(ACCOUNTS_PATH)}>Create a {accountName}</Link>
          </li>
          <li>
            <Link href={selectAccountAddress(ACCOUNTS_PATH)}>Create an Organization</Link>
          </li>
        </ul>
      </section>
    </>
  )
}
