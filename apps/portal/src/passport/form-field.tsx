import type { PassportField } from '@portico/contracts/passport-sections'
import { hideDigits, isHidden } from '@portico/rules/passport-answers'
import { CardOption, CardSelect } from '@portico/ui/card-select'
import { Checkbox } from '@portico/ui/checkbox'
import { Icon } from '@portico/ui/icon'
import { SelectField } from '@portico/ui/select-field'
import { TextField } from '@portico/ui/text-field'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { choiceText, countries, fieldTexts } from '../passport-texts.ts'
import styles from './passport.module.css'

export type FormFieldProps = {
  id: string
  field: PassportField
  value: string
  error: string | undefined
  /** Called when the user leaves the field with a changed answer or makes a choice. */
  onAnswer: (value: string) => void
}

/** A passport form field, with the control for its kind. */
export function FormField(props: FormFieldProps) {
  const { id, field, value, error, onAnswer } = props
  const { label, hint, autoComplete } = fieldTexts(field.name)
  switch (field.kind) {
    case 'choice':
      return (
        <div className={styles.choice} id={id} tabIndex={-1}>
          <p className={styles.question}>{label}</p>
          <CardSelect label={label} value={value} onChange={onAnswer}>
            {field.choices.map((choice) => (
              <CardOption key={choice} value={choice} title={choiceText(field.name, choice)} />
            ))}
          </CardSelect>
          {error && (
            <p className={styles.error} role="alert">
              <Icon name="danger" />
              <span>{error}</span>
            </p>
          )}
        </div>
      )
    case 'consent':
      return (
        <Checkbox
          id={id}
          label={label}
          error={error}
          checked={value === 'yes'}
          onChange={({ currentTarget: { checked } }) => onAnswer(checked ? 'yes' : '')}
        />
      )
    case 'country':
      return (
        <SelectField
          id={id}
          label={label}
          hint={hint}
          error={error}
          value={value}
          {...(autoComplete && { autoComplete })}
          onChange={({ currentTarget }) => onAnswer(currentTarget.value)}
        >
          <option value="">Choose a country</option>
          {countries().map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      )
    default:
      return <TypedField {...props} />
  }
}

const INPUT_TYPES = { date: 'date', email: 'email', phone: 'tel' } as const

/** An input that saves its answer on blur, and if the page is left while it has the focus. A tax number is then masked. */
function TypedField({ id, field, value, error, onAnswer }: FormFieldProps) {
  const [typed, setTyped] = useState<string>()
  const { label, hint, autoComplete } = fieldTexts(field.name)
  const isSecret = field.kind === 'tax-id'
  const shown = isSecret && value !== '' && !isHidden(value) ? hideDigits(value) : value
  const take = (answer: string | undefined) => {
    // A hidden number stays if the user leaves the field without typing.
    const isKept = answer === undefined || answer === value || (answer === '' && isHidden(value))
    if (!isKept) onAnswer(answer)
  }
  const leave = useEffectEvent(() => take(typed))
  // A layout effect, because the flow that saves the answer stops with the passive effects.
  useLayoutEffect(() => {
    const onPageHide = () => leave()
    window.addEventListener('pagehide', onPageHide)
    return () => {
      window.removeEventListener('pagehide', onPageHide)
      leave()
    }
  }, [])
  return (
    <TextField
      id={id}
      label={label}
      hint={hint}
      error={error}
      type={
        field.kind in INPUT_TYPES ? INPUT_TYPES[field.kind as keyof typeof INPUT_TYPES] : 'text'
      }
      maxLength={200}
      dir={field.kind === 'text' ? 'auto' : undefined}
      autoComplete={isSecret ? 'off' : autoComplete}
      {...(isSecret && { spellCheck: false })}
      value={typed ?? shown}
      onFocus={() => setTyped(isHidden(value) ? '' : value)}
      onChange={({ currentTarget }) => {
        // The browser autofills fields without focus, so they never fire blur.
        if (currentTarget === document.activeElement) setTyped(currentTarget.value)
        else take(currentTarget.value)
      }}
      onKeyDown={({ key }) => {
        // Enter submits the form without leaving the field.
        if (key === 'Enter') take(typed)
      }}
      onBlur={() => {
        take(typed)
        setTyped(undefined)
      }}
    />
  )
}
