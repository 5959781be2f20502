import { shortAddress } from '@portico/rules/short-address'
import styles from './target-wallet.module.css'

/** Whom a screen is about: the wallet that has to connect, or an organization, which may have no address yet. */
export function TargetWallet({ name, address }: { name: string; address?: string }) {
  return (
    <p className={styles.target}>
      <strong>{name}</strong>
      {address !== undefined && <code title={address}>{shortAddress(address)}</code>}
    </p>
  )
}
