import type { ConfirmationMethod } from '@portico/rules/confirmation-methods'
import { loginPasswordError, secondFactorCodeError } from '@portico/rules/field-errors'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { useRef } from 'react'
import { FailureAlert } from '../failure-alert.tsx'
import { focusHere, useForm } from '../form.ts'
import type { Event, State } from './confirmation.flow.ts'

/** What the confirmation is for: an account change, a new password, unlocking the wallet, approving a request, or a second factor. */
export type Purpose = 'change' | 'password' | 'unlock' | 'approve' | 'login'

export type ConfirmationViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  /** The methods available to this user. */
  methods: readonly ConfirmationMethod[]
  email: string
  supportPhone: string
  purpose: Purpose
}

const METHOD_LABELS: Readonly<Record<ConfirmationMethod, string>> = {
  password: 'Use your password',
  passkey: 'Use a passkey',
  passcode: 'Email me a code',
  totp: 'Use your authenticator app',
}

export function ConfirmationView(props: ConfirmationViewProps) {
  const { state, send, methods, email, supportPhone, purpose } = props
  const current = methodOf(state)
  const others = state.step === 'sending' ? [] : methods.filter((method) => method !== current)
  return (
    <Stack>
      <p>{instruction(state, email, purpose)}</p>
      {'failure' in state && <FailureAlert failure={state.failure} supportPhone={supportPhone} />}
      <ProofStep {...props} />
      {others.length > 0 && (
        <Stack gap="inside">
          {others.map((method) => (
            <p key={method}>
              <LinkButton onClick={() => send({ type: 'methodChosen', method })}>
                {METHOD_LABELS[method]}
              </LinkButton>
            </p>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

function ProofStep(props: ConfirmationViewProps) {
  const { state, send } = props
  switch (state.step) {
    case 'offering':
    case 'sending':
      return (
        <Button
          key="passcode"
          ref={focusHere}
          wide
          busy={state.step === 'sending'}
          busyLabel="Sending email…"
          onClick={() => send({ type: 'codeRequested' })}
        >
          Send email
        </Button>
      )
    case 'inviting':
    case 'presenting':
      return (
        <Button
          key="passkey"
          ref={focusHere}
          wide
          busy={state.step === 'presenting'}
          busyLabel="Follow your browser…"
          onClick={() => send({ type: 'passkeyRequested' })}
        >
          Use your passkey
        </Button>
      )
    case 'entering':
    case 'redeeming':
      return <ProofForm key={methodOf(state)} {...props} state={state} />
  }
}

function ProofForm({
  state,
  send,
  email,
  purpose,
}: ConfirmationViewProps & { state: Extract<State, { step: 'entering' | 'redeeming' }> }) {
  const method = methodOf(state)
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({
    proof: ({ proof }) =>
      method === 'password' ? loginPasswordError(proof) : secondFactorCodeError(proof),
  })
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(({ proof }) => send({ type: 'proofSubmitted', text: proof }))}
    >
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Stack gap="fields">
        {method === 'password' ? (
          <PasswordField
            {...field('proof')}
            ref={focusHere}
            label="Password"
            autoComplete="current-password"
          />
        ) : (
          <CodeField
            {...field('proof')}
            ref={focusHere}
            label="Code"
            hint="6 digits"
            onComplete={() => form.current?.requestSubmit()}
          />
        )}
        <Button type="submit" wide busy={state.busy} busyLabel="Checking…">
          {BUTTONS[purpose]}
        </Button>
      </Stack>
    </form>
  )
}

function methodOf(state: ConfirmationViewProps['state']): ConfirmationMethod {
  switch (state.step) {
    case 'entering':
      return state.method
    case 'offering':
    case 'sending':
    case 'redeeming':
      return 'passcode'
    case 'inviting':
    case 'presenting':
      return 'passkey'
  }
}

const BUTTONS: Readonly<Record<Purpose, string>> = {
  change: 'Confirm',
  password: 'Confirm',
  unlock: 'Unlock',
  approve: 'Confirm',
  login: 'Continue',
}

const CHANGE_INSTRUCTIONS = {
  password: 'Enter your password to make this change.',
  passkey:
    'Use your passkey to make this change. Your browser will ask for a fingerprint, a face, a PIN or a security key.',
  totp: 'Enter the current code from your authenticator app to make this change.',
}

const INSTRUCTIONS: Readonly<
  Record<Purpose, Readonly<Record<'password' | 'passkey' | 'totp', string>>>
> = {
  change: CHANGE_INSTRUCTIONS,
  password: {
    ...CHANGE_INSTRUCTIONS,
    password: 'Enter your current password to choose a new one.',
  },
  unlock: {
    password: 'Enter your password to open your wallet.',
    passkey:
      'Open your wallet with your passkey. Your browser will ask for a fingerprint, a face, a PIN or a security key.',
    totp: 'Enter the current code from your authenticator app to open your wallet.',
  },
  approve: {
    password: "Enter your password to confirm it's you. Nothing is sent yet.",
    passkey:
      "Use your passkey to confirm it's you. Your browser will ask for a fingerprint, a face, a PIN or a security key. Nothing is sent yet.",
    totp: "Enter the current code from your authenticator app to confirm it's you. Nothing is sent yet.",
  },
  login: {
    password: 'The application requires a second factor. Enter your password.',
    passkey:
      'The application requires a second factor. Your browser will ask for your passkey: a fingerprint, a face, a PIN or a security key.',
    totp: 'The application requires a second factor. Enter the current code from your authenticator app.',
  },
}

/** Shown if the server accepts none of the user's methods yet. */
export const NO_METHOD: Readonly<Record<Purpose, string>> = {
  change:
    'You changed how you log in a moment ago. To make another change, log out and log in again.',
  password:
    'You changed how you log in a moment ago. To choose a new password, log out and log in again.',
  unlock: 'You changed how you log in a moment ago. To open your wallet, log out and log in again.',
  approve:
    'You changed how you log in recently. To protect your money, you can confirm this payment one day after that change.',
  login: 'You changed how you log in a moment ago. To continue, log out and log in again.',
}

function instruction(state: ConfirmationViewProps['state'], email: string, purpose: Purpose) {
  const method = methodOf(state)
  if (method !== 'passcode') return INSTRUCTIONS[purpose][method]
  return (
    <>
      {state.step === 'redeeming' ? 'We sent a code to ' : 'We will send a code to '}
      <strong>
        <EmailText>{email}</EmailText>
      </strong>
      .
    </>
  )
}
