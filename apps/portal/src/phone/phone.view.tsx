import { phoneError } from '@portico/rules/field-errors'
import { formatPhone } from '@portico/rules/phone'
import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere, useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import { TextField } from '@portico/ui/text-field'
import { CodeForm } from '../code-form/code-form.tsx'
import type { Event, State } from './phone.flow.ts'

export type PhoneViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  supportPhone: string
}

export function PhoneView({ state, send, supportPhone }: PhoneViewProps) {
  return (
    <Stack>
      {state.step === 'redeeming' ? (
        <p>
          We sent a code to <strong dir="ltr">{formatPhone(state.phone)}</strong>.
        </p>
      ) : (
        <p>We will text a code to this number, now and when you sign in.</p>
      )}
      {state.step !== 'sending' && (
        <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      )}
      {state.step === 'redeeming' ? (
        <CodeForm
          label="Code from the text message"
          focused
          busy={state.busy}
          onSubmit={(code) => send({ type: 'codeSubmitted', code })}
        />
      ) : (
        <NumberForm
          busy={state.step === 'sending'}
          onSubmit={(phone) => send({ type: 'numberSubmitted', phone })}
        />
      )}
      {state.step === 'redeeming' && (
        <p>
          <LinkButton onClick={() => send({ type: 'back' })}>
            Change the number or send another code
          </LinkButton>
        </p>
      )}
    </Stack>
  )
}

function NumberForm({ busy, onSubmit }: { busy: boolean; onSubmit: (phone: string) => void }) {
  const { field, submit } = useForm({ phone: ({ phone }) => phoneError(phone) })
  return (
    <form method="post" noValidate onSubmit={submit(({ phone }) => onSubmit(phone))}>
      <Stack gap="fields">
        <TextField
          {...field('phone')}
          ref={focusHere}
          label="Phone number"
          type="tel"
          autoComplete="tel"
          hint="With the country code, if it is not +1"
        />
        <Button type="submit" wide busy={busy} busyLabel="Sending the code…">
          Send code
        </Button>
      </Stack>
    </form>
  )
}
