import { forwardRef, useId, useState } from 'react'
import field from '../field/field.module.css'
import { controlAttributes, Field } from '../field/field.tsx'
import { Icon } from '../icon/icon.tsx'
import type { TextFieldProps } from '../text-field/text-field.tsx'
import styles from './password-field.module.css'

export type PasswordFieldProps = Omit<TextFieldProps, 'type'> & {
  autoComplete: 'current-password' | 'new-password'
  /** What the button shows and hides. */
  subject?: 'password' | 'passphrase'
}

/** A password field with a button to show the password. */
export const PasswordField = forwardRef<HTMLInputElement, PasswordFieldProps>(
  function PasswordField({ label, hint, error, id, subject = 'password', ...native }, ref) {
    const ownId = useId()
    const inputId = id ?? ownId
    const [shown, setShown] = useState(false)
    return (
      <Field id={inputId} label={label} hint={hint} error={error}>
        <div className={styles.row}>
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...native}
            ref={ref}
            {...controlAttributes(inputId, { hint, error })}
            type={shown ? 'text' : 'password'}
            className={field.control}
          />
          <button
            type="button"
            className={styles.show}
            aria-label={`${shown ? 'Hide' : 'Show'} ${subject}`}
            aria-controls={inputId}
            disabled={native.disabled}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      </Field>
    )
  },
)
