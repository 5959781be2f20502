import { type AccountChoice, signingWords } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import { Icon } from '@portico/ui/icon'
import { Spinner } from '@portico/ui/spinner'
import styles from './account-card.module.css'

export type AccountCardProps = {
  choice: AccountChoice
  /** The remaining connection time, if this is the connected wallet. */
  life: string | undefined
  busy: boolean
  onChoose: () => void
}

/** A selectable account (§2.7); the whole card is clickable. */
export function AccountCard({ choice, life, busy, onChoose }: AccountCardProps) {
  const { account, wallet } = choice
  return (
    <button
      type="button"
      className={styles.card}
      aria-disabled={busy || undefined}
      onClick={() => busy || onChoose()}
    >
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.name}>{account.name}</span>
          {wallet.verified && (
            <span className={styles.badge}>
              <Icon name="check" />
              Verified
            </span>
          )}
        </span>
        <span className={styles.further}>
          <span className={styles.address}>{shortAddress(account.address)}</span>
          <span>{signingWords(choice)}</span>
        </span>
        {life && <span className={styles.life}>Connected, {life} left</span>}
      </span>
      {busy ? <Spinner /> : <Icon name="chevron" />}
    </button>
  )
}
