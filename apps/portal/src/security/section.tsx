import { type ReactNode, useId } from 'react'
import styles from './security.module.css'

/** A part of the security page: a heading, one sentence, how it stands, and what can be done. */
export function Section({
  title,
  text,
  state,
  action,
  children,
}: {
  title: string
  text: string
  /** How it stands, in a word or two. */
  state?: string
  action?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {state && <p className={styles.state}>{state}</p>}
      </div>
      <p className={styles.text}>{text}</p>
      {action && <div className={styles.act}>{action}</div>}
      {children}
    </section>
  )
}

/** One of several things of a section, with what can be done about it. */
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
      {children && <div className={styles.acts}>{children}</div>}
    </li>
  )
}
