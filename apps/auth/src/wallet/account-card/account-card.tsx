import { type AccountChoice, signingWords } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import { Icon } from '@portico/ui/icon'
import { Spinner } from '@portico/ui/spinner'
import styles from './account-card.module.css'

/** What an item of the account list takes. */
export type AccountCardProps = {
  choice: AccountChoice
  /** What remains of its wallet's connection, where it is the connected one. */
  life: string | undefined
  busy: boolean
  onChoose: () => void
}

/** An account to choose (§2.7): all of it is the target. */
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
