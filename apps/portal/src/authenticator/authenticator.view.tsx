import { FailureAlert } from '@portico/shell/failure-alert'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { CodeForm } from '../code-form/code-form.tsx'
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
          <CodeForm
            label="Code from the app"
            busy={state.busy}
            give={(code) => send({ type: 'codeGiven', code })}
          />
        </Stack>
      )
  }
}

/** A key in groups of four, as it is typed. */
function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
