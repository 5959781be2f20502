import { type ComponentProps, useId } from 'react'
import styles from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'

/** The native attributes of an input and the texts around it. */
export type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'style'> & FieldTexts

/** One line of text: a native input with its label, hint and error. */
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
