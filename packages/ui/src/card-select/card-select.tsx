import { createContext, type ReactNode, useContext, useId } from 'react'
import { CardText, type CardTextProps } from '../card-text/card-text.tsx'
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
      <Choice.Provider value={{ name, value, onChange }}>{children}</Choice.Provider>
    </div>
  )
}

export type CardOptionProps = Omit<CardTextProps, 'id' | 'children'> & { value: string }

/** One card. The whole card is clickable; a ring and a check mark show the selection. */
export function CardOption({ value, ...texts }: CardOptionProps) {
  const id = useId()
  const choice = useContext(Choice)
  return (
    <label className={styles.card}>
      <CardText {...texts} id={id} />
      <span className={styles.mark}>
        <input
          type="radio"
          name={choice.name}
          value={value}
          checked={choice.value === value}
          onChange={() => choice.onChange(value)}
          aria-labelledby={`${id}-title`}
          aria-describedby={texts.detail || texts.note ? `${id}-further` : undefined}
        />
        <Icon name="check" />
      </span>
    </label>
  )
}
