import { type ComponentProps, useId } from 'react'
import styles from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'

export type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'style'> & FieldTexts

/** A native single-line input with label, hint and error. */
export function TextField({ label, hint, error, id, ...native }: TextFieldProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  return (
    <Field id={inputId} label={label} hint={hint} error={error}>
      <input
        type="text"
        {...native}
        {...controlAttributes(inputId, { hint, error })}
        className={styles.control}
      />
    </Field>
  )
}
