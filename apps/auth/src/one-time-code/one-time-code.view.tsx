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

/** The introduction above the code field, and the field's label. */
export type CodePrompt = { intro: ReactNode; label: string }

export type OneTimeCodeViewProps = {
  state: Extract<State, { step: 'entering' }>
  send: (event: Event) => void
  email: string
  codeError: (code: string) => FieldError
  prompt?: CodePrompt | undefined
  supportPhone: string
  /** The label of a Back link, for pages without a dialog to close. */
  back?: string | undefined
}

const MINUTES = PASSCODE_LIFETIME_MS / 60_000

const RESEND = { ready: 'Resend code', sending: 'Sending…', coolingDown: 'Code Sent' } as const

/** Code entry: submits as soon as six digits are entered. */
export function OneTimeCodeView(props: OneTimeCodeViewProps) {
  const { state, send, email, codeError, prompt = defaultPrompt(email), supportPhone, back } = props
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => codeError(code) })
  return (
    <Stack>
      <p>{prompt.intro}</p>
      <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={submit(({ code }) => send({ type: 'codeSubmitted', code }))}
      >
        <Stack gap="fields">
          <CodeField
            {...field('code')}
            ref={focusHere}
            label={prompt.label}
            hint="6 digits"
            onComplete={() => form.current?.requestSubmit()}
          />
          <Button type="submit" wide busy={state.busy} busyLabel="Checking…">
            Continue
          </Button>
        </Stack>
      </form>
      <Stack gap="inside" quiet>
        <p>Didn't get it? Check your spam folder, or request another code.</p>
        <p>
          <LinkButton
            disabled={state.resend !== 'ready'}
            onClick={() => send({ type: 'resendRequested' })}
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

function defaultPrompt(email: string): CodePrompt {
  return {
    intro: (
      <>
        We sent an email to{' '}
        <strong>
          <EmailText>{email}</EmailText>
        </strong>
        . Enter the code from that email. It is valid for {MINUTES} minutes.
      </>
    ),
    label: 'One-time passcode',
  }
}
