import { type ComponentPropsWithoutRef, forwardRef, useId } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'
import styles from './select-field.module.css'

/** `children` are native `option` elements. */
export type SelectFieldProps = Omit<ComponentPropsWithoutRef<'select'>, 'className' | 'style'> &
  FieldTexts

/** A native select. */
export const SelectField = forwardRef<HTMLSelectElement, SelectFieldProps>(function SelectField(
  { label, hint, error, id, children, ...native },
  ref,
) {
  const ownId = useId()
  const selectId = id ?? ownId
  return (
    <Field id={selectId} label={label} hint={hint} error={error}>
      <div className={styles.row}>
        <select
          {...native}
          ref={ref}
          {...controlAttributes(selectId, { hint, error })}
          className={field.control}
        >
          {children}
        </select>
      </div>
    </Field>
  )
})
