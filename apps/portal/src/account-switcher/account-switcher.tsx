import { Alert } from '@portico/ui/alert'
import { Icon } from '@portico/ui/icon'
import { LinkButton } from '@portico/ui/link-button'
import { Popover } from '@portico/ui/popover'
import { AccountCards } from '../account-cards/account-cards.tsx'
import { isActing, useActingAccount } from '../acting-account/acting-account.tsx'
import { ACCOUNTS_PATH } from '../routes.ts'
import styles from './account-switcher.module.css'

/** The account that the session acts as, and the menu of the accounts it can act as instead. */
export function AccountSwitcher() {
  const { accounts, failure, retry, choosing, choose } = useActingAccount()
  if (accounts === undefined) {
    if (failure === undefined) {
      return (
        <span className={styles.place}>
          <Current name="" icon="person" />
        </span>
      )
    }
    return (
      <Popover
        look="choice"
        label="Acting as Not loaded"
        button={<Current name="Not loaded" icon="warning" />}
      >
        <Alert tone="warn" title="We could not load your accounts">
          <LinkButton onClick={retry}>Try again</LinkButton>
        </Alert>
      </Popover>
    )
  }
  if (accounts.items.length === 0) {
    return (
      <a className={styles.place} href={ACCOUNTS_PATH}>
        <Current name="No account yet" icon="person" />
      </a>
    )
  }
  const { acting, items } = accounts
  const shown = choosing ?? (acting && { account: acting.account, wallet: acting.authorizedWallet })
  const name = shown?.account.name ?? 'Not chosen yet'
  const isOrganization = shown !== undefined && shown.wallet.authorizationType !== 'Owner'
  return (
    <Popover
      look="choice"
      kind="menu"
      label={`Acting as ${name}`}
      button={
        <>
          <Current name={name} icon={isOrganization ? 'building' : 'person'} />
          <Icon name="switch" />
        </>
      }
    >
      <AccountCards
        isMenu
        items={items}
        isSelected={(choice) => isActing(accounts, choice)}
        choosing={choosing}
        onChoose={choose}
      />
    </Popover>
  )
}

function Current({ name, icon }: { name: string; icon: 'building' | 'person' | 'warning' }) {
  return (
    <span className={styles.current}>
      <Icon name={icon} />
      <span className={styles.words}>
        <span className={styles.label}>Acting as</span>{' '}
        <span className={styles.name} dir="auto">
          {name || '\u00a0'}
        </span>
      </span>
    </span>
  )
}
