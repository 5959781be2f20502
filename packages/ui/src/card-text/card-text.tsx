import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './card-text.module.css'

export type CardTextProps = {
  title: ReactNode
  /** Set in monospace, for example an address. */
  detail?: ReactNode
  /** For example 'Verified'. */
  badge?: ReactNode
  /** An additional text, for example 'Signing as …'. */
  note?: ReactNode
  /** The prefix of the IDs `{id}-title` and `{id}-further`, for the control that the text describes. */
  id?: string
  /** Lines below. */
  children?: ReactNode
}

/** The text of a card: the title with its badge, and a line with the detail and the note. */
export function CardText({ title, detail, badge, note, id, children }: CardTextProps) {
  return (
    <span className={styles.text}>
      <span className={styles.line}>
        <span className={styles.title} id={id && `${id}-title`}>
          <bdi>{title}</bdi>
        </span>
        {badge && (
          <span className={styles.badge}>
            <Icon name="check" />
            {badge}
          </span>
        )}
      </span>
      {(detail || note) && (
        <span className={styles.further} id={id && `${id}-further`}>
          {detail && <span className={styles.detail}>{detail}</span>}
          {note && <span>{note}</span>}
        </span>
      )}
      {children}
    </span>
  )
}
