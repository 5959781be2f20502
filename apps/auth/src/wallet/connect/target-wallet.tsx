import { shortAddress } from '@portico/rules/short-address'
import styles from './target-wallet.module.css'

/** The account that has to connect, or an organization, which may have no address yet. */
export type TargetWalletProps = {
  /** Missing where only the address is known. */
  name?: string | undefined
  address?: string | undefined
  /** Who signs for it, where that is not its owner. */
  signing?: string | undefined
}

/** Shows which account a screen is about. */
export function TargetWallet({ name, address, signing }: TargetWalletProps) {
  return (
    <p className={styles.target}>
      {name !== undefined && <strong>{name}</strong>}
      {address !== undefined && <code title={address}>{shortAddress(address)}</code>}
      {signing !== undefined && <span>{signing}</span>}
    </p>
  )
}
