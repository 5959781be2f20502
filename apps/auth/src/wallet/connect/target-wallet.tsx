import type { AccountChoice } from '@portico/rules/account-sections'
import { shortAddress } from '@portico/rules/short-address'
import styles from './target-wallet.module.css'

/** The wallet that has to connect. */
export function TargetWallet({ name, address }: AccountChoice['account']) {
  return (
    <p className={styles.target}>
      <strong>{name}</strong>
      <code title={address}>{shortAddress(address)}</code>
    </p>
  )
}
