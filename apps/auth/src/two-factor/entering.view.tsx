import { PASSCODE_LIFETIME_MS, REMEMBERED_DEVICE_MS } from '@portico/contracts/limits'
import { recoveryCodeError, secondFactorCodeError } from '@portico/rules/field-errors'
import type { SecondFactor } from '@portico/rules/second-factor'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { Checkbox } from '@portico/ui/checkbox'
import { CodeField } from '@portico/ui/code-field'
import { EmailText } from '@portico/ui/email-text'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { useRef, useState } from 'react'
import { hasBack, type State } from './two-factor.flow.ts'
import type { TwoFactorViewProps } from './view-props.ts'

type EnteringProps = TwoFactorViewProps<Extract<State, { step: 'entering' }>>

const MINUTES = PASSCODE_LIFETIME_MS / 60_000
const DAYS = REMEMBERED_DEVICE_MS / 86_400_000

const RESEND = { sending: 'Sending…', coolingDown: 'Code Sent', ready: 'Resend code' } as const

const ADDITIONAL_METHODS = {
  passkey: 'Use a passkey',
  recoveryCode: 'Use a recovery code',
} as const

/** Entering the selected second factor. */
export function EnteringView(props: EnteringProps) {
  const { state, send, clock, supportPhone } = props
  const { factors, method, resend } = state
  return (
    <Stack>
      <p>{instruction(state)}</p>
      <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      <MethodForm {...props} />
      <Stack gap="inside">
        {resend !== 'none' && (
          <p>
            <LinkButton
              disabled={resend !== 'ready'}
              onClick={() => send({ type: 'resendRequested', at: clock() })}
            >
              {RESEND[resend]}
            </LinkButton>
          </p>
        )}
        {factors.methods.length === 1 &&
          factors.additional.map(
            (other) =>
              isAdditional(other) &&
              other.kind !== method.kind && (
                <p key={other.kind}>
                  <LinkButton
                    onClick={() => send({ type: 'methodChosen', method: other, at: clock() })}
                  >
                    {ADDITIONAL_METHODS[other.kind]}
                  </LinkButton>
                </p>
              ),
          )}
        {factors.offersRecovery && (
          <p>
            <LinkButton onClick={() => send({ type: 'forgotten' })}>Forgot 2FA?</LinkButton>
          </p>
        )}
        {hasBack(state) && (
          <p>
            <LinkButton onClick={() => send({ type: 'back', at: clock() })}>Back</LinkButton>
          </p>
        )}
      </Stack>
    </Stack>
  )
}

function isAdditional(
  method: SecondFactor,
): method is SecondFactor & { kind: keyof typeof ADDITIONAL_METHODS } {
  return method.kind in ADDITIONAL_METHODS
}

function instruction({ method, resend, sentAt, sentBefore }: EnteringProps['state']) {
  switch (method.kind) {
    case 'email':
    case 'phone':
      if (sentBefore) {
        return (
          <>
            The code we sent to{' '}
            <strong>
              <EmailText>{method.value}</EmailText>
            </strong>{' '}
            earlier is still valid. You can also request another one.
          </>
        )
      }
      if (resend === 'ready' && sentAt[method.alias] === undefined) {
        return (
          <>
            We could not send a code to{' '}
            <strong>
              <EmailText>{method.value}</EmailText>
            </strong>
            .
          </>
        )
      }
      return (
        <>
          {resend === 'sending' ? 'We are sending a code to ' : 'We sent a code to '}
          <strong>
            <EmailText>{method.value}</EmailText>
          </strong>
          . It is valid for {MINUTES} minutes.
        </>
      )
    case 'totp':
      return 'Enter the current code from your authenticator app.'
    case 'passkey':
      return 'Your browser will ask for your passkey: a fingerprint, a face, a PIN or a security key.'
    case 'recoveryCode':
      return 'Enter one of your saved recovery codes. Each code works once.'
  }
}

function MethodForm({ state, send }: EnteringProps) {
  const { kind } = state.method
  const form = useRef<HTMLFormElement>(null)
  const [remember, setRemember] = useState(false)
  const { field, submit } = useForm({
    code: ({ code }) => {
      if (kind === 'passkey') return undefined
      return kind === 'recoveryCode' ? recoveryCodeError(code) : secondFactorCodeError(code)
    },
  })
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={submit(({ code }) =>
        send(
          kind === 'passkey'
            ? { type: 'passkeyRequested', remember }
            : { type: 'codeSubmitted', code, remember },
        ),
      )}
    >
      <Stack gap="fields">
        {kind === 'recoveryCode' && (
          <TextField
            {...field('code')}
            ref={focusHere}
            label="Recovery code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        {kind !== 'recoveryCode' && kind !== 'passkey' && (
          <CodeField
            {...field('code')}
            ref={focusHere}
            label="Verification code"
            hint="6 digits"
            onComplete={() => form.current?.requestSubmit()}
          />
        )}
        {kind !== 'recoveryCode' && (
          <Checkbox
            label={`Remember this browser for ${DAYS} days`}
            checked={remember}
            onChange={({ currentTarget: { checked } }) => setRemember(checked)}
          />
        )}
        <Button
          ref={kind === 'passkey' ? focusHere : undefined}
          type="submit"
          wide
          busy={state.busy}
          busyLabel="Checking…"
        >
          {kind === 'passkey' ? 'Use your passkey' : 'Continue'}
        </Button>
      </Stack>
    </form>
  )
}
