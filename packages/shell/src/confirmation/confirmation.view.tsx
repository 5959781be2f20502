import { loginPasswordError, secondFactorCodeError } from '@portico/rules/field-errors'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { LinkButton } from '@portico/ui/link-button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { useRef } from 'react'
import { FailureAlert } from '../failure-alert.tsx'
import { focusHere, useForm } from '../form.ts'
import type { Event, Method, State } from './confirmation.flow.ts'

/** What somebody confirms for. */
export type Purpose = 'change' | 'unlock'

/** What the confirmation shows besides its state. */
export type ConfirmationViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  /** The ways this person has. */
  methods: readonly Method[]
  email: string
  supportPhone: string
  purpose: Purpose
}

const WAYS: Readonly<Record<Method, string>> = {
  password: 'Use your password',
  passcode: 'Use a code by email',
  totp: 'Use your authenticator app',
}

/** Confirming that it is still the same person, in one of their ways. */
export function ConfirmationView(props: ConfirmationViewProps) {
  const { state, send, methods, email, supportPhone, purpose } = props
  const current = methodOf(state)
  const others = state.step === 'sending' ? [] : methods.filter((method) => method !== current)
  return (
    <Stack>
      <p>{instruction(state, email, purpose)}</p>
      {state.step !== 'sending' && (
        <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      )}
      {state.step === 'offering' || state.step === 'sending' ? (
        <Button
          ref={focusHere}
          wide
          busy={state.step === 'sending'}
          busyLabel="Sending email…"
          onClick={() => send({ type: 'sendAsked' })}
        >
          Send email
        </Button>
      ) : (
        <ProofForm key={current} {...props} state={state} method={current} />
      )}
      {others.length > 0 && (
        <Stack gap="inside">
          {others.map((method) => (
            <p key={method}>
              <LinkButton onClick={() => send({ type: 'methodChosen', method })}>
                {WAYS[method]}
              </LinkButton>
            </p>
          ))}
        </Stack>
      )}
    </Stack>
  )
}

function ProofForm({
  state,
  send,
  method,
  email,
  purpose,
}: ConfirmationViewProps & {
  state: Extract<State, { step: 'entering' | 'redeeming' }>
  method: Method
}) {
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
      onSubmit={submit(({ proof }) => send({ type: 'given', text: proof }))}
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

function methodOf(state: ConfirmationViewProps['state']): Method {
  return state.step === 'entering' ? state.method : 'passcode'
}

const BUTTONS: Readonly<Record<Purpose, string>> = { change: 'Confirm', unlock: 'Unlock' }

const WORDS: Readonly<Record<Purpose, Readonly<Record<'password' | 'totp', string>>>> = {
  change: {
    password: 'You signed in a while ago. Enter your password to make this change.',
    totp: 'You signed in a while ago. Enter the code that your authenticator app shows now.',
  },
  unlock: {
    password: 'Enter your password to open your wallet.',
    totp: 'Enter the code that your authenticator app shows now to open your wallet.',
  },
}

function instruction(state: ConfirmationViewProps['state'], email: string, purpose: Purpose) {
  if (state.step === 'entering') return WORDS[purpose][state.method]
  return (
    <>
      {state.step === 'redeeming' ? 'We sent a code to ' : 'We will send a code to '}
      <strong>{email}</strong>.
    </>
  )
}
