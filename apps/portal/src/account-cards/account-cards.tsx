import type { AccountListItem } from '@portico/contracts/wallet'
import { type AccountChoice, accountSections } from '@portico/rules/account-sections'
import { AccountCard } from '@portico/shell/account-card'
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
      isSelected={isSelected(choice)}
      isBusy={choosing?.account.address === choice.account.address}
      onChoose={() => onChoose(choice)}
      {...(isMenu
        ? { role: 'menuitemradio', 'aria-checked': isSelected(choice), tabIndex: -1 }
        : { 'aria-pressed': isSelected(choice) })}
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
