import { phoneReach } from '@portico/rules/wallet-discovery'
import styles from './connect.module.css'

/** What to do if nothing happens on the phone. `hostname` is this page's: the phone must reach its relay. */
export function PhoneHelp({ hostname }: { hostname: string }) {
  const reach = phoneReach(hostname)
  return (
    <details className={styles.phoneHelp}>
      <summary>Nothing happens on your phone?</summary>
      <ul className={styles.help}>
        {reach === 'none' && (
          <li>
            This page runs on <strong>{hostname}</strong>, which only this computer can reach. Use a
            wallet on this computer instead.
          </li>
        )}
        {reach === 'same-network' && (
          <li>
            Connect your phone to the same network as this computer. Only devices there can reach{' '}
            <strong>{hostname}</strong>.
          </li>
        )}
        {reach === 'all' && <li>Check that your phone is online.</li>}
        <li>Unlock the wallet on your phone. The request appears once it is unlocked.</li>
        <li>Each code works once. Close this screen and open it again to get a new one.</li>
      </ul>
    </details>
  )
}
