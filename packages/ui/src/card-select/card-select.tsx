import { createContext, type ReactNode, use, useId } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './card-select.module.css'

/** A choice of one among cards; `children` are `CardOption`s, under headings if there are sections. */
export type CardSelectProps = {
  /** Names the group for screen readers. */
  label: string
  /** The chosen card; none where nothing is chosen yet. */
  value: string | undefined
  onChange: (value: string) => void
  children: ReactNode
}

const Choice = createContext<
  Pick<CardSelectProps, 'value' | 'onChange'> & { readonly name: string }
>({ name: '', value: undefined, onChange: () => undefined })

/** Radio buttons in the form of cards. */
export function CardSelect({ label, value, onChange, children }: CardSelectProps) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      <Choice value={{ name, value, onChange }}>{children}</Choice>
    </div>
  )
}

/** What one card shows. */
export type CardOptionProps = {
  value: string
  title: ReactNode
  /** In the mono stack: an address. */
  detail?: ReactNode
  /** A word in a small frame, such as 'Verified'. */
  badge?: ReactNode
  /** A further line, such as 'Signing as …'. */
  note?: ReactNode
}

/** One card: all of it is the target, and a ring and a check say that it is chosen. */
export function CardOption({ value, title, detail, badge, note }: CardOptionProps) {
  const id = useId()
  const choice = use(Choice)
  return (
    <label className={styles.card}>
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.title} id={`${id}-title`}>
            {title}
          </span>
          {badge && (
            <span className={styles.badge}>
              <Icon name="check" />
              {badge}
            </span>
          )}
        </span>
        {(detail || note) && (
          <span className={styles.further} id={`${id}-further`}>
            {detail && <span className={styles.detail}>{detail}</span>}
            {note && <span>{note}</span>}
          </span>
        )}
      </span>
      <span className={styles.mark}>
        <input
          type="radio"
          name={choice.name}
          value={value}
          checked={choice.value === value}
          onChange={() => choice.onChange(value)}
          aria-labelledby={`${id}-title`}
          aria-describedby={detail || note ? `${id}-further` : undefined}
        />
        <Icon name="check" />
      </span>
    </label>
  )
}
