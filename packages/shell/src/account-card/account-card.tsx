import { type AccountChoice, signerText } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import { CardText } from '@portico/ui/card-text'
import { Icon } from '@portico/ui/icon'
import { Spinner } from '@portico/ui/spinner'
import type { ComponentProps } from 'react'
import styles from './account-card.module.css'

/** An account to choose (§2.7); the whole card is the button. */
export function AccountCard({
  choice,
  isSelected,
  isBusy,
  onChoose,
  children,
  ...native
}: Omit<ComponentProps<'button'>, 'className' | 'style' | 'onClick'> & {
  choice: AccountChoice
  /** Whether this is the current choice; undefined if choosing opens the next step. */
  isSelected?: boolean
  isBusy: boolean
  onChoose: () => void
}) {
  const { account, wallet } = choice
  return (
    <button
      type="button"
      {...native}
      className={styles.card}
      data-selected={isSelected || undefined}
      aria-disabled={isBusy || undefined}
      onClick={() => isBusy || onChoose()}
    >
      <CardText
        title={account.name}
        badge={wallet.verified && 'Verified'}
        detail={shortAddress(account.address)}
        note={signerText(choice)}
      >
        {children}
      </CardText>
      <span className={styles.mark}>
        {isBusy ? (
          <Spinner />
        ) : isSelected === undefined ? (
          <Icon name="chevron" />
        ) : (
          isSelected && <Icon name="check" />
        )}
      </span>
    </button>
  )
}
