import { secondFactorCodeError } from '@portico/rules/field-errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useForm } from '@portico/shell/form'
import { Button } from '@portico/ui/button'
import { CodeField } from '@portico/ui/code-field'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { useRef } from 'react'
import type { Event, State } from './authenticator.flow.ts'
import styles from './authenticator.module.css'
import { QrCode } from './qr-code.tsx'

/** What the dialog shows besides its state. */
export type AuthenticatorViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  supportPhone: string
}

/** The QR code and the key, then the first code. */
export function AuthenticatorView({ state, send, supportPhone }: AuthenticatorViewProps) {
  switch (state.step) {
    case 'beginning':
      return <Skeleton shape="card" count={3} label="Making a key" />
    case 'stopped':
      return (
        <Stack>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <Button wide onClick={() => send({ type: 'retried' })}>
            Try again
          </Button>
        </Stack>
      )
    case 'scanning':
      return (
        <Stack>
          <p>Scan this with your authenticator app. On this device, type the key instead.</p>
          <div className={styles.code}>
            <QrCode text={state.uri} label="QR code for your authenticator app" />
            <p className={styles.key}>{grouped(state.secret)}</p>
          </div>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <CodeForm busy={state.busy} give={(code) => send({ type: 'codeGiven', code })} />
        </Stack>
      )
  }
}

function CodeForm({ busy, give }: { busy: boolean; give: (code: string) => void }) {
  const form = useRef<HTMLFormElement>(null)
  const { field, submit } = useForm({ code: ({ code }) => secondFactorCodeError(code) })
  return (
    <form ref={form} method="post" noValidate onSubmit={submit(({ code }) => give(code))}>
      <Stack gap="fields">
        <CodeField
          {...field('code')}
          label="Code from the app"
          hint="6 digits"
          onComplete={() => form.current?.requestSubmit()}
        />
        <Button type="submit" wide busy={busy} busyLabel="Checking…">
          Confirm
        </Button>
      </Stack>
    </form>
  )
}

/** A key in groups of four, as it is typed. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
