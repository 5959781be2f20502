import { MIN_PASSWORD_STRENGTH } from '@portico/contracts/limits'
import { type FieldError, newPassphraseError } from '@portico/rules/field-errors'
import { PasswordField, type PasswordFieldProps } from '@portico/ui/password-field'
import { StrengthMeter, type StrengthMeterProps } from '@portico/ui/strength-meter'
import { useEffect, useState } from 'react'

type Measure = (passphrase: string) => StrengthMeterProps

const load = () => import('./passphrase-strength.ts')

/** The rules and strength of a new passphrase. */
export function useNewPassphrase(initial = '') {
  const [typed, setTyped] = useState(initial)
  const [measure, setMeasure] = useState<Measure>()
  useEffect(() => {
    // If it cannot be loaded, only the length counts.
    load().then(
      ({ passphraseStrength }) => setMeasure(() => passphraseStrength),
      () => undefined,
    )
  }, [])
  return {
    strength: typed === '' ? undefined : measure?.(typed),
    setTyped,
    rules: {
      passphrase: ({ passphrase }: { passphrase: string }) =>
        passphraseError(passphrase, measure?.(passphrase).score),
      confirmation: ({ passphrase, confirmation }: Record<'passphrase' | 'confirmation', string>) =>
        confirmationError(passphrase, confirmation),
    },
  }
}

function passphraseError(passphrase: string, score: number | undefined): FieldError {
  if (passphrase === '') return 'Please choose a passphrase.'
  const isWeak = score !== undefined && score < MIN_PASSWORD_STRENGTH
  return (
    newPassphraseError(passphrase) ?? (isWeak ? 'Please choose a stronger passphrase.' : undefined)
  )
}

function confirmationError(passphrase: string, confirmation: string): FieldError {
  if (confirmation === '') return 'Please enter the passphrase again.'
  return confirmation === passphrase ? undefined : 'The two passphrases do not match.'
}

const FIRST_ADVICE = 'Four unrelated words make a good passphrase.'

/** The fields of a new passphrase, with its strength. */
export function NewPassphraseFields({
  field,
  passphrase: { strength, setTyped },
  initial = '',
  label = 'Passphrase',
}: {
  /** The attributes of a field of the form. */
  field: (
    name: 'passphrase' | 'confirmation',
  ) => Pick<PasswordFieldProps, 'name' | 'error' | 'onInput' | 'onBlur'>
  passphrase: Pick<ReturnType<typeof useNewPassphrase>, 'strength' | 'setTyped'>
  initial?: string | undefined
  label?: string
}) {
  return (
    <>
      <PasswordField
        {...field('passphrase')}
        label={label}
        subject="passphrase"
        autoComplete="new-password"
        defaultValue={initial}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <StrengthMeter score={strength?.score ?? 0} advice={strength?.advice ?? FIRST_ADVICE} />
      <PasswordField
        {...field('confirmation')}
        label={`${label} again`}
        subject="passphrase"
        autoComplete="new-password"
        defaultValue={initial}
      />
    </>
  )
}
