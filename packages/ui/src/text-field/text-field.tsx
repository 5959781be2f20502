import { type ComponentPropsWithoutRef, forwardRef, useId } from 'react'
import styles from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'

export type TextFieldProps = Omit<ComponentPropsWithoutRef<'input'>, 'className' | 'style'> &
  FieldTexts

/** A native single-line input with label, hint and error. */
export const TextField = forwardRef<HTMLInputElement, TextFieldProps>(function TextField(
  { label, hint, error, id, ...native },
  ref,
) {
  const ownId = useId()
  const inputId = id ?? ownId
  return (
    <Field id={inputId} label={label} hint={hint} error={error}>
      <input
        type="text"
        {...native}
        ref={ref}
        {...controlAttributes(inputId, { hint, error })}
        className={styles.control}
      />
    </Field>
  )
})
