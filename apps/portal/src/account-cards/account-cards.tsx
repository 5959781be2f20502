import type { AccountListItem } from '@portico/contracts/wallet'
import { type AccountChoice, accountSections, signerText } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import { CardText } from '@portico/ui/card-text'
import { Icon } from '@portico/ui/icon'
import { Spinner } from '@portico/ui/spinner'
import { type ReactNode, useId } from 'react'
import styles from './account-cards.module.css'

/** The accounts in the sections of §2.7. The selected card is the account that the session acts as. */
export function AccountCards({
  items,
  isSelected,
  choosing,
  onChoose,
  isMenu = false,
}: {
  items: readonly AccountListItem[]
  isSelected: (choice: AccountChoice) => boolean
  /** The account being switched to. */
  choosing: AccountChoice | undefined
  onChoose: (choice: AccountChoice) => void
  /** In a menu, the cards are its items. */
  isMenu?: boolean
}) {
  const { individual, organizational } = accountSections(items)
  const card = (choice: AccountChoice) => (
    <AccountCard
      key={`${choice.account.address} ${choice.wallet.address}`}
      choice={choice}
      isMenu={isMenu}
      selected={isSelected(choice)}
      busy={choosing?.account.address === choice.account.address}
      onChoose={() => onChoose(choice)}
    />
  )
  return (
    <>
      {individual.length > 0 && (
        <Section title="Individual Accounts" isMenu={isMenu}>
          {individual.map(card)}
        </Section>
      )}
      {organizational.length > 0 && (
        <Section title="Organizational Accounts" isMenu={isMenu}>
          {organizational.map(card)}
        </Section>
      )}
    </>
  )
}

function Section({
  title,
  isMenu,
  children,
}: {
  title: string
  isMenu: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className={styles.section}>
      {isMenu ? (
        // A menu contains only its items.
        <p id={id} role="none" className={styles.title}>
          {title}
        </p>
      ) : (
        <h2 id={id}>{title}</h2>
      )}
      {children}
    </div>
  )
}

function AccountCard({
  choice,
  isMenu,
  selected,
  busy,
  onChoose,
}: {
  choice: AccountChoice
  isMenu: boolean
  selected: boolean
  busy: boolean
  onChoose: () => void
}) {
  const { account, wallet } = choice
  return (
    <button
      type="button"
      className={styles.card}
      {...(isMenu
        ? { role: 'menuitemradio', 'aria-checked': selected, tabIndex: -1 }
        : { 'aria-pressed': selected })}
      data-selected={selected || undefined}
      onClick={onChoose}
    >
      <CardText
        title={account.name}
        badge={wallet.verified && 'Verified'}
        detail={shortAddress(account.address)}
        note={signerText(choice)}
      />
      <span className={styles.mark}>{busy ? <Spinner /> : selected && <Icon name="check" />}</span>
    </button>
  )
}
