import { PASSCODE_LIFETIME_MS } from '@portico/contracts/limits'
import type { FieldError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useRef } from 'react'
import type { Event, State } from './one-time-code.flow.ts'

/** What is said above the code, and the label of its field. */
export type CodeWords = { intro: ReactNode; label: string }

/** What the code entry shows besides its state. */
export type OneTimeCodeViewProps = {
  state: Extract<State, { step: 'entering' }>
  send: (event: Event) => void
  email: string
  codeError: (code: string) => FieldError
  words?: CodeWords | undefined
  supportPhone: string
  /** Takes the person back, where there is no dialog to close. */
  back?: string | undefined
}

const MINUTES = PASSCODE_LIFETIME_MS / 60_000

const RESEND = { ready: 'Resend code', sending: 'Sending…', resting: 'Code Sent' } as const

/** The code entry: six digits, sent as soon as they are there. */
export function OneTimeCodeView(props: OneTimeCodeViewProps) {
  const { state, send, email, codeError, words = ordinaryWords(email), supportPhone, back } = props
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => codeError(code) })
  return (
    <Stack>
      <p>{words.intro}</p>
      <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={submit(({ code }) => send({ type: 'codeGiven', code }))}
      >
        <Stack gap="fields">
          <CodeField
            {...field('code')}
            ref={focusHere}
            label={words.label}
            hint="6 digits"
            onComplete={() => form.current?.requestSubmit()}
          />
          <Button type="submit" wide busy={state.busy} busyLabel="Checking…">
            Continue
          </Button>
        </Stack>
      </form>
      <Stack gap="inside" quiet>
        <p>Nothing there? Look in your spam folder, or ask for another code.</p>
        <p>
          <LinkButton
            disabled={state.resend !== 'ready'}
            onClick={() => send({ type: 'resendAsked' })}
          >
            {RESEND[state.resend]}
          </LinkButton>
        </p>
        {back && (
          <p>
            <LinkButton onClick={() => send({ type: 'closed' })}>{back}</LinkButton>
          </p>
        )}
      </Stack>
    </Stack>
  )
}

function ordinaryWords(email: string): CodeWords {
  return {
    intro: (
      <>
        We sent an email to{' '}
        <strong>
          <EmailText>{email}</EmailText>
        </strong>
        . Enter the code it holds; it is valid for {MINUTES} minutes.
      </>
    ),
    label: 'One-time passcode',
  }
}
