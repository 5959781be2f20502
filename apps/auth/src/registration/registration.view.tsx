import { emailError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Link } from '@portico/ui/link'
import { LiveRegion } from '@portico/ui/live-region'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { type ReactNode, useState } from 'react'
import { RouteLink } from '../route-link.tsx'
import { StepHeading } from '../step-heading/step-heading.tsx'
import type { Event, State } from './registration.flow.ts'

/** The documents a new customer agrees to. */
type Documents = {
  termsUrl: string
  privacyUrl: string
  electronicCommunicationsUrl: string
}

export type RegistrationViewProps = {
  state: State
  send: (event: Event) => void
  /** The email parameter, or an empty string. */
  email: string
  /** Whether an invitation fixes the address. */
  invited: boolean
  loginHref: string
  documents: Documents
  supportPhone: string
  /** Called on the first sign that the user is about to register. */
  onIntent: () => void
  /** The code entry or the password form for the current step. */
  children: ReactNode
}

const STEP_NAMES: Partial<Record<State['step'], string>> = {
  email: 'Step 1 of 3: your email',
  registering: 'Step 1 of 3: your email',
  token: 'Step 2 of 3: your code',
  checking: 'Step 2 of 3: your code',
  password: 'Step 3 of 3: your password',
}

/** The registration page (§2.4). */
export function RegistrationView(props: RegistrationViewProps) {
  const { state, loginHref, documents, supportPhone, children } = props
  const isEmailStep = state.step === 'email' || state.step === 'registering'
  const stepName = STEP_NAMES[state.step]
  const [first] = useState(state)
  // Submitting the address stays on the same step, and a failure is announced by its own alert.
  const isNewStep =
    state !== first &&
    state.step !== 'registering' &&
    !(state.step === 'email' && state.failure !== undefined)
  return (
    <Stack>
      {/* Focus moves straight to the next step's field, so the step's name is announced separately. */}
      <LiveRegion message={isNewStep ? (stepName ?? '') : ''} />
      <StepHeading step={stepName} title="Create your login">
        <p>We'll need you to verify your email address and set a unique password.</p>
        {isEmailStep && (
          <p>
            Already have an account? <RouteLink href={loginHref}>Log in here</RouteLink>
          </p>
        )}
      </StepHeading>
      {state.step === 'email' && (
        <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      )}
      {isEmailStep && <EmailForm {...props} returned={state.step === 'email' && state !== first} />}
      {children}
      {isEmailStep && <Agreement {...documents} />}
    </Stack>
  )
}

function EmailForm({
  state,
  send,
  email,
  invited,
  onIntent,
  returned,
}: RegistrationViewProps & { returned: boolean }) {
  const { field, submit } = useForm({ email: ({ email }) => emailError(email) })
  return (
    <form
      method="post"
      noValidate
      onSubmit={submit(({ email }) => send({ type: 'emailSubmitted', email }))}
    >
      <Stack gap="fields">
        <TextField
          {...field('email')}
          ref={returned ? focusHere : undefined}
          onFocus={onIntent}
          label="Email"
          type="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={(state.step === 'email' && state.typed) || email}
          disabled={invited}
          hint={
            invited
              ? 'Did your invite go to the wrong address? Ask the sender for a new invite.'
              : 'We will send a code to this address.'
          }
        />
        <Button type="submit" wide busy={state.step === 'registering'} busyLabel="Sending email…">
          Continue
        </Button>
      </Stack>
    </form>
  )
}

function Agreement({ termsUrl, privacyUrl, electronicCommunicationsUrl }: Documents) {
  return (
    <Stack quiet>
      <p>
        By continuing you agree to our <Link href={termsUrl}>Terms</Link>,{' '}
        <Link href={privacyUrl}>Privacy</Link> and{' '}
        <Link href={electronicCommunicationsUrl}>Electronic Communications</Link> policies.
      </p>
    </Stack>
  )
}
