import { MIN_PASSWORD_STRENGTH } from '@portico/contracts/limits'
import { confirmationError, newPasswordError } from '@portico/rules/field-errors'
import { Button } from '@portico/ui/button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { StrengthMeter } from '@portico/ui/strength-meter'
import { useState } from 'react'
import { FailureAlert } from '../failure-alert.tsx'
import { focusHere, useForm } from '../form.ts'
import type { Event, State } from './new-password.flow.ts'
import { FIRST_ADVICE } from './strength.ts'

export type NewPasswordViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  /** The account's email address, for password managers. */
  email: string
  button: { label: string; busyLabel: string }
  supportPhone: string
  /** The token of a session that has not started yet. */
  jwt?: string | undefined
}

/** A new password and its confirmation, with a strength meter. */
export function NewPasswordView({
  state,
  send,
  email,
  button,
  supportPhone,
  jwt,
}: NewPasswordViewProps) {
  const failure = state.step === 'choosing' ? state.failure : undefined
  const weak = failure?.reason === 'weak-password'
  // Until the strength is measured, only the server checks it.
  const score = state.strength?.score ?? MIN_PASSWORD_STRENGTH
  const { field, submit } = useForm({
    password: ({ password }) => newPasswordError(password, score),
    confirmation: ({ password, confirmation }) => confirmationError(password, confirmation),
  })
  const password = field('password')
  // Strength is measured asynchronously, so clear the error here once it no longer applies, also after a paste.
  const [typed, setTyped] = useState('')
  const passwordError = newPasswordError(typed, score) === undefined ? undefined : password.error
  return (
    <Stack>
      {!weak && (
        <FailureAlert
          failure={failure}
          supportPhone={supportPhone}
          codeFor={jwt === undefined ? undefined : email}
        />
      )}
      <form
        method="post"
        noValidate
        onSubmit={submit((values) =>
          send({ type: 'passwordSubmitted', password: values.password }),
        )}
      >
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Stack gap="fields">
          <PasswordField
            {...password}
            ref={focusHere}
            label="New password"
            autoComplete="new-password"
            error={weak ? failure.notices[0] : passwordError}
            onChange={({ currentTarget: { value } }) => {
              setTyped(value)
              send({ type: 'passwordTyped', password: value })
            }}
          />
          <StrengthMeter
            score={state.strength?.score ?? 0}
            advice={state.strength?.advice ?? FIRST_ADVICE}
          />
          <PasswordField
            {...field('confirmation')}
            label="Confirm password"
            autoComplete="new-password"
          />
          <Button type="submit" wide busy={state.step === 'saving'} busyLabel={button.busyLabel}>
            {button.label}
          </Button>
        </Stack>
      </form>
    </Stack>
  )
}
