import { shortAddress } from '@portico/rules/short-address'
import type { ReactNode } from 'react'
import styles from './facts.module.css'
import { UntrustedText } from './untrusted-text.tsx'

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
      <dt>
        <UntrustedText>{label}</UntrustedText>
      </dt>
      <dd>
        {typeof children === 'string' ? <UntrustedText>{children}</UntrustedText> : children}
        {name && (
          <span className={styles.name}>
            <UntrustedText>{name}</UntrustedText>
          </span>
        )}
        {address && (
          <span className={styles.address} title={address}>
            <UntrustedText>{name || isShort ? shortAddress(address) : address}</UntrustedText>
          </span>
        )}
      </dd>
    </div>
  )
}
