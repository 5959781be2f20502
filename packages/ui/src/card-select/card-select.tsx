import { createContext, type ReactNode, use, useId } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './card-select.module.css'

/** `children` are `CardOption`s, with headings between sections. */
export type CardSelectProps = {
  /** The accessible name of the group. */
  label: string
  /** The value of the selected card. */
  value: string | undefined
  onChange: (value: string) => void
  children: ReactNode
}

const Choice = createContext<
  Pick<CardSelectProps, 'value' | 'onChange'> & { readonly name: string }
>({ name: '', value: undefined, onChange: () => undefined })

/** A radio group of cards. */
export function CardSelect({ label, value, onChange, children }: CardSelectProps) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.group}>
      <Choice value={{ name, value, onChange }}>{children}</Choice>
    </div>
  )
}

export type CardOptionProps = {
  value: string
  title: ReactNode
  /** Set in monospace, for example an address. */
  detail?: ReactNode
  /** For example 'Verified'. */
  badge?: ReactNode
  /** An additional line, for example 'Signing as …'. */
  note?: ReactNode
}

/** One card. The whole card is clickable; a ring and a check mark show the selection. */
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
