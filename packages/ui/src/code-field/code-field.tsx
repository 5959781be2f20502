import { PASSCODE_LENGTH } from '@portico/contracts/limits'
import { passcodeText } from '@portico/rules/passcode'
import { type ChangeEvent, forwardRef, useId, useRef } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field } from '../field/field.tsx'
import type { TextFieldProps } from '../text-field/text-field.tsx'
import styles from './code-field.module.css'

export type CodeFieldProps = Omit<TextFieldProps, 'type' | 'maxLength' | 'inputMode'> & {
  /** Called each time a new six-digit code is complete. */
  onComplete?: (code: string) => void
}

/**
 * A six-digit passcode in a single input (§5). The length is limited after stripping non-digits:
 * `maxlength` would truncate a pasted '123 456' before its space is removed.
 */
export const CodeField = forwardRef<HTMLInputElement, CodeFieldProps>(function CodeField(
  { label, hint, error, id, onChange, onComplete, ...native },
  ref,
) {
  const ownId = useId()
  const inputId = id ?? ownId
  const previousCode = useRef(passcodeText(String(native.value ?? native.defaultValue ?? '')))

  function change(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget
    const code = passcodeText(input.value)
    if (code !== input.value) {
      // Setting the value moves the caret to the end.
      const caret = passcodeText(input.value.slice(0, input.selectionStart ?? undefined)).length
      input.value = code
      input.setSelectionRange(caret, caret)
    }
    const isNew = code !== previousCode.current
    previousCode.current = code
    onChange?.(event)
    if (isNew && code.length === PASSCODE_LENGTH) onComplete?.(code)
  }

  return (
    <Field id={inputId} label={label} hint={hint} error={error}>
      <div className={styles.code}>
        <input
          autoComplete="one-time-code"
          {...native}
          ref={ref}
          {...controlAttributes(inputId, { hint, error })}
          type="text"
          inputMode="numeric"
          pattern="[0-9]*"
          className={field.control}
          onChange={change}
        />
      </div>
    </Field>
  )
})
