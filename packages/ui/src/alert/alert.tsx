import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './alert.module.css'

/** What an alert is about; it decides icon, color and how urgently it is read out. */
export type AlertTone = 'danger' | 'warn' | 'info' | 'ok'

const ICONS = {
  danger: 'danger',
  warn: 'warning',
  info: 'info',
  ok: 'ok',
} as const satisfies Record<AlertTone, IconName>

/**
 * What an alert says: what happened in `title`, what to do in `children`; either may stand alone. `detail` is for the
 * technical text behind it, which helps support rather than the reader.
 */
export type AlertProps = {
  tone: AlertTone
  title?: ReactNode
  detail?: ReactNode
  children?: ReactNode
}

/** A message in the flow of the page; danger interrupts a screen reader, the others wait. */
export function Alert({ tone, title, detail, children }: AlertProps) {
  return (
    <div className={styles.alert} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon name={ICONS[tone]} />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {detail && <div className={styles.detail}>{detail}</div>}
      </div>
    </div>
  )
}
