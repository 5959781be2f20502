import { Icon, type IconName } from '@portico/ui/icon'
import type { ReactNode } from 'react'
import type { Tone } from './approval/outcome-text.ts'
import styles from './outcome.module.css'

export const TONE_ICONS = {
  ok: 'ok',
  neutral: 'info',
  warn: 'warning',
  danger: 'danger',
} as const satisfies Record<Tone, IconName>

/** How something ended, with an icon in the color of its tone. */
export function Outcome({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <p className={styles.outcome} data-tone={tone}>
      <Icon name={TONE_ICONS[tone]} />
      {children}
    </p>
  )
}
