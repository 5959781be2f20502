import { connectionLife } from '@portico/rules/connection-life'
import { LinkButton } from '@portico/ui/link-button'
import { useSyncExternalStore } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './wallet.module.css'

const EVERY_MS = 1000

/** Shows that a page is connected, and the time until the connection expires. */
export function Connected({ until, onDisconnect }: { until: number; onDisconnect: () => void }) {
  const { clock } = useEnvironment()
  const life = useSyncExternalStore(
    everySecond,
    () => connectionLife(until, clock()),
    () => undefined,
  )
  return (
    <div className={styles.connected}>
      <span>A page of this site is connected{life === undefined ? '' : ` for ${life} more`}.</span>
      <LinkButton onClick={onDisconnect}>Disconnect</LinkButton>
    </div>
  )
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, EVERY_MS)
  return () => clearInterval(timer)
}
