import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { type ReactNode, useId } from 'react'
import { Icon } from '../icon/icon.tsx'
import styles from './card-select.module.css'

/** A choice of one among cards; `children` are `CardOption`s, under headings if there are sections. */
export type CardSelectProps = {
  /** Names the group for screen readers. */
  label: string
  name?: string
  value?: string | undefined
  defaultValue?: string
  onChange?: (value: string) => void
  disabled?: boolean
  children: ReactNode
}

/** Radio buttons in the form of cards. */
export function CardSelect({ label, onChange, children, ...group }: CardSelectProps) {
  return (
    <RadioGroup<string>
      {...group}
      className={styles.group}
      aria-label={label}
      onValueChange={(value) => onChange?.(value)}
    >
      {children}
    </RadioGroup>
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
  disabled?: boolean
}

/** One card: all of it is the target, and a ring and a check say that it is chosen. */
export function CardOption({ value, title, detail, badge, note, disabled }: CardOptionProps) {
  const id = useId()
  return (
    <label className={styles.card} data-disabled={disabled || undefined}>
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
      <Radio.Root
        className={styles.mark}
        value={value}
        disabled={disabled}
        aria-labelledby={`${id}-title`}
        aria-describedby={detail || note ? `${id}-further` : undefined}
      >
        <Radio.Indicator>
          <Icon name="check" />
        </Radio.Indicator>
      </Radio.Root>
    </label>
  )
}
