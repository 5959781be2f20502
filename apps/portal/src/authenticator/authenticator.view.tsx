import { FailureAlert } from '@portico/shell/failure-alert'
import { Button } from '@portico/ui/button'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { CodeForm } from '../code-form/code-form.tsx'
import type { Event, State } from './authenticator.flow.ts'
import styles from './authenticator.module.css'
import { QrCode } from './qr-code.tsx'

export type AuthenticatorViewProps = {
  state: Exclude<State, { step: 'left' }>
  send: (event: Event) => void
  supportPhone: string
}

/** The QR code and the key, and the field for the first code. */
export function AuthenticatorView({ state, send, supportPhone }: AuthenticatorViewProps) {
  switch (state.step) {
    case 'beginning':
      return <Skeleton shape="card" count={3} label="Creating a key" />
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
          <p>
            Scan this code with your authenticator app. If the app is on this device, type the key
            instead.
          </p>
          <div className={styles.code}>
            <QrCode text={state.uri} label="QR code for your authenticator app" />
            <p className={styles.key}>{inGroups(state.secret)}</p>
          </div>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <CodeForm
            label="Code from the app"
            busy={state.busy}
            onSubmit={(code) => send({ type: 'codeSubmitted', code })}
          />
        </Stack>
      )
  }
}

/** Formats a key in groups of four, which makes it easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
