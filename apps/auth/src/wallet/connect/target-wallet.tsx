import { shortAddress } from '@portico/rules/short-address'
import styles from './target-wallet.module.css'

/** The account that must connect, or an organization that may not have an address yet. */
export type TargetWalletProps = {
  /** Undefined if only the address is known. */
  name?: string | undefined
  address?: string | undefined
  /** Who signs for the account, if not its owner. */
  signing?: string | undefined
}

export function TargetWallet({ name, address, signing }: TargetWalletProps) {
  return (
    <p className={styles.target}>
      {name !== undefined && <strong>{name}</strong>}
      {address !== undefined && <code title={address}>{shortAddress(address)}</code>}
      {signing !== undefined && <span>{signing}</span>}
    </p>
  )
}
