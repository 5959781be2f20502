import { shortAddress } from '@portico/rules/short-address'
import type { ReactNode } from 'react'
import styles from './facts.module.css'

/** A list of labels and values. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

/** A label with a value, or with a name and address. */
export function Fact({
  label,
  name,
  address,
  isShort = false,
  children,
}: {
  label: string
  name?: string
  address?: string
  /** Shortens the address even if it has no name. */
  isShort?: boolean
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
            {name || isShort ? shortAddress(address) : address}
          </span>
        )}
      </dd>
    </div>
  )
}
