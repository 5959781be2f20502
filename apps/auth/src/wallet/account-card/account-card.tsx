import { type AccountChoice, signerText } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import { CardText } from '@portico/ui/card-text'
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
      <CardText
        title={account.name}
        badge={wallet.verified && 'Verified'}
        detail={shortAddress(account.address)}
        note={signerText(choice)}
      >
        {life && <span className={styles.life}>Connected, {life} left</span>}
      </CardText>
      {busy ? <Spinner /> : <Icon name="chevron" />}
    </button>
  )
}
