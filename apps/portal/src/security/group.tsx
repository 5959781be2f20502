import { Icon } from '@portico/ui/icon'
import { type ReactNode, useId } from 'react'
import styles from './security.module.css'

export function Group({
  title,
  text,
  children,
}: {
  title: string
  text?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles.group} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p className={styles.text}>{text}</p>}
      <ul className={styles.list}>{children}</ul>
    </section>
  )
}

/** One setting; the whole row is clickable and opens its change. */
export function SettingRow({
  title,
  details,
  state,
  danger = false,
  onClick,
}: {
  title: string
  details: string
  /** The current value, in a word or two. */
  state?: string
  /** For changes that cannot be undone. */
  danger?: boolean
  onClick: () => void
}) {
  const id = useId()
  return (
    <li className={styles.row} data-danger={danger || undefined}>
      <div className={styles.words}>
        {/* The button's clickable area covers the row, but its accessible name is only the title. */}
        <button
          type="button"
          className={styles.opener}
          aria-describedby={`${id}-state ${id}-details`}
          onClick={onClick}
        >
          {title}
        </button>
        <p className={styles.details} id={`${id}-details`}>
          {details}
        </p>
      </div>
      <p className={styles.state} id={`${id}-state`}>
        {state}
      </p>
      <Icon name="chevron" />
    </li>
  )
}

/** An entry of a group, with its actions. */
export function Item({
  title,
  details,
  children,
}: {
  title: ReactNode
  details?: ReactNode
  children?: ReactNode
}) {
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {details && <p className={styles.details}>{details}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  )
}
