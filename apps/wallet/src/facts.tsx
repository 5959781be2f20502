import { shortAddress } from '@portico/rules/short-address'
import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** Names and values, one under the other. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** One of them: words, or somebody by name and address. */
export function Fact({
  label,
  name,
  address,
  children,
}: {
  label: string
  name?: string
  address?: string
  children?: ReactNode
}) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {children}
        {name && <span className={styles.name}>{name}</span>}
        {address && (
          <span className={styles.address} title={address}>
            {name ? shortAddress(address) : address}
          </span>
        )}
      </dd>
    </div>
  )
}
