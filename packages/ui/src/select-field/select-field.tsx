import { type ComponentProps, useId } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'
import styles from './select-field.module.css'

/** The native attributes of a select and the texts around it; `children` are options. */
export type SelectFieldProps = Omit<ComponentProps<'select'>, 'className' | 'style'> & FieldTexts

/** One of a list, in the browser's own control. */
export function SelectField({ label, hint, error, id, children, ...native }: SelectFieldProps) {
  const ownId = useId()
  const selectId = id ?? ownId
  return (
    <Field id={selectId} label={label} hint={hint} error={error}>
      <div className={styles.row}>
        <select
          {...native}
          {...controlAttributes(selectId, { hint, error })}
          className={field.control}
        >
          {children}
        </select>
      </div>
    </Field>
  )
}
