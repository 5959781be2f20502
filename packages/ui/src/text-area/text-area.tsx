import { type ComponentPropsWithoutRef, forwardRef, useId } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field, type FieldTexts } from '../field/field.tsx'
import styles from './text-area.module.css'

export type TextAreaProps = Omit<ComponentPropsWithoutRef<'textarea'>, 'className' | 'style'> &
  FieldTexts

/** A native multi-line input with label, hint and error. */
export const TextArea = forwardRef<HTMLTextAreaElement, TextAreaProps>(function TextArea(
  { label, hint, error, id, ...native },
  ref,
) {
  const ownId = useId()
  const inputId = id ?? ownId
  return (
    <Field id={inputId} label={label} hint={hint} error={error}>
      <span className={styles.row}>
        <textarea
          {...native}
          ref={ref}
          {...controlAttributes(inputId, { hint, error })}
          className={field.control}
        />
      </span>
    </Field>
  )
})
