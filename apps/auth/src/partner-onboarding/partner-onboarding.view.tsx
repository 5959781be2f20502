import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere } from '@portico/shell/form'
import { Waiting } from '@portico/shell/waiting'
import { Button } from '@portico/ui/button'
import { EmailText } from '@portico/ui/email-text'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { CodePrompt } from '../one-time-code/one-time-code.tsx'
import { RouteLink } from '../route-link.tsx'
import { StepHeading } from '../step-heading/step-heading.tsx'
import type { Borrower } from './arrival.ts'
import { type Event, isCodeUnusable, type State } from './partner-onboarding.flow.ts'

export type PartnerOnboardingViewProps = {
  state: State
  send: (event: Event) => void
  company: string
  /** The registration page, which asks for an email address. */
  registerHref: string
  loginHref: string
  supportPhone: string
  /** The code entry or the password form for the current step. */
  children: ReactNode
}

const MINUTES = PASSCODE_LIFETIME_MS / 60_000

/** Partner onboarding (§2.5): a code, then a password. */
export function PartnerOnboardingView(props: PartnerOnboardingViewProps) {
  const { state, children } = props
  switch (state.step) {
    case 'arriving':
    case 'endingSession':
    case 'verifying':
    case 'sending':
    case 'redirecting':
    case 'leaving':
      return (
        <>
          <Waiting />
          {children}
        </>
      )
    case 'otherSession':
      return <OtherSession {...props} state={state} />
    case 'confirming':
      return <Confirmation {...props} state={state} />
    case 'code':
    case 'secondFactor':
      return (
        <Stack>
          <StepHeading step="Step 1 of 2: your code" title="You've got mail!" />
          {children}
          <OtherOptions {...props} borrower={state.borrower} />
        </Stack>
      )
    case 'checking':
    case 'password':
    case 'startingSession':
      return (
        <Stack>
          <StepHeading step="Step 2 of 2: your password" title="Create Password">
            <p>With a password, you can return to your application at any time.</p>
          </StepHeading>
          {children}
        </Stack>
      )
    case 'stopped':
      return <Stopped {...props} state={state} />
  }
}

/** The introduction and label of the code field (§2.5). */
export function codePrompt(email: string | undefined, company: string): CodePrompt {
  return {
    intro: `We sent you an email with a code to continue your application with ${company}. It is valid for ${MINUTES} minutes.`,
    label: `Enter the code sent to ${email ?? 'your email'}`,
  }
}

/** Redeeming a link requires a button press, so mail scanners that open every link do not consume its code. */
function Confirmation({
  state,
  send,
  company,
  supportPhone,
  ...links
}: PartnerOnboardingViewProps & { state: Extract<State, { step: 'confirming' }> }) {
  const { email } = state.borrower
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Continue your application</h1>
        <p>
          You are about to continue with {company}
          {email !== undefined && (
            <>
              {' '}
              as{' '}
              <strong>
                <EmailText>{email}</EmailText>
              </strong>
            </>
          )}
          .
        </p>
      </Stack>
      <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      <Button
        ref={focusHere}
        wide
        busy={state.busy}
        busyLabel="Checking…"
        onClick={() => send({ type: 'continued' })}
      >
        Continue
      </Button>
      <OtherOptions {...links} borrower={state.borrower} />
    </Stack>
  )
}

/** Asks before a link replaces another user's session. */
function OtherSession({
  state: { borrower, email },
  send,
  company,
}: PartnerOnboardingViewProps & { state: Extract<State, { step: 'otherSession' }> }) {
  return (
    <Stack>
      <Stack gap="inside">
        <h1 tabIndex={-1}>Continue your application</h1>
        <p>
          You are logged in as{' '}
          <strong>
            <EmailText>{email}</EmailText>
          </strong>
          . This link continues an application with {company}{' '}
          {borrower.email === undefined ? 'for another account' : 'as '}
          {borrower.email !== undefined && (
            <strong>
              <EmailText>{borrower.email}</EmailText>
            </strong>
          )}
          .
        </p>
      </Stack>
      <Stack gap="inside">
        <Button ref={focusHere} wide onClick={() => send({ type: 'sessionKept' })}>
          Stay logged in
        </Button>
        <Button kind="secondary" wide onClick={() => send({ type: 'replacementConfirmed' })}>
          Log out and continue
        </Button>
      </Stack>
    </Stack>
  )
}

function Stopped({
  state,
  send,
  supportPhone,
  ...links
}: PartnerOnboardingViewProps & { state: Extract<State, { step: 'stopped' }> }) {
  const { failure } = state
  return (
    <Stack>
      <h1 tabIndex={-1}>Continue your application</h1>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      {failure.reason !== 'account-locked' && (
        <Button ref={focusHere} wide onClick={() => send({ type: 'retried' })}>
          {isCodeUnusable(failure) ? 'Get a new code' : 'Try again'}
        </Button>
      )}
      <OtherOptions {...links} borrower={state.borrower} />
    </Stack>
  )
}

function OtherOptions({
  registerHref,
  loginHref,
  borrower,
}: Pick<PartnerOnboardingViewProps, 'registerHref' | 'loginHref'> & { borrower: Borrower }) {
  return (
    <Stack gap="inside" quiet>
      {borrower.email !== undefined && (
        <p>
          Not your email? <RouteLink href={registerHref}>Use a different one</RouteLink>
        </p>
      )}
      <p>
        Already have a password? <RouteLink href={loginHref}>Log in here</RouteLink>
      </p>
    </Stack>
  )
}
