import { Icon, type IconName } from '@portico/ui/icon'
import type { ReactNode } from 'react'
import type { Tone } from './approval/outcome-text.ts'
import styles from './outcome.module.css'

const TONE_ICONS = {
  ok: 'ok',
  neutral: 'info',
  warn: 'warning',
  danger: 'danger',
} as const satisfies Record<Tone, IconName>

/** How something ended, with an icon in the color of its tone. */
export function Outcome({
  tone,
  isSmall = false,
  children,
}: {
  tone: Tone
  /** As a line of a list. */
  isSmall?: boolean
  children: ReactNode
}) {
  return (
    <p className={styles.outcome} data-tone={tone} data-small={isSmall || undefined}>
      <Icon name={TONE_ICONS[tone]} />
      {children}
    </p>
  )
}
