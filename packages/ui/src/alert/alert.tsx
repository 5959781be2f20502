import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './alert.module.css'

/** The severity of an alert; determines icon, color and how urgently screen readers announce it. */
export type AlertTone = 'danger' | 'warn' | 'info' | 'ok'

const ICONS = {
  danger: 'danger',
  warn: 'warning',
  info: 'info',
  ok: 'ok',
} as const satisfies Record<AlertTone, IconName>

/**
 * `title` says what happened and `children` what to do; either can be omitted. `detail` is the underlying technical
 * message, meant for support.
 */
export type AlertProps = {
  tone: AlertTone
  title?: ReactNode
  detail?: ReactNode
  children?: ReactNode
}

/** An inline message. Screen readers announce `danger` immediately and other tones politely. */
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
