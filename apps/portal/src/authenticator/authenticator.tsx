import type { Client } from '@portico/client/client'
import { beginTotp, confirmTotp } from '@portico/contracts/account-security'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { type AccountChangeProps, LoadedChange } from '../change/change.tsx'
import { CodeForm } from '../code-form/code-form.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './authenticator.module.css'
import { QrCode } from './qr-code.tsx'

/** Sets up an authenticator app; the account changes only after its first code is confirmed. */
export function Authenticator({ account, onResult }: AccountChangeProps) {
  return (
    <LoadedChange
      account={account}
      onResult={onResult}
      title="Set up an authenticator app"
      load={(client, signal) => client(beginTotp, { signal })}
      placeholder={<Skeleton shape="card" count={3} label="Creating a key" />}
    >
      {(key, client) => (
        <AuthenticatorKey
          {...key}
          client={client}
          supportPhone={account.supportPhone}
          onConfirmed={() => onResult('changed')}
        />
      )}
    </LoadedChange>
  )
}

/** The QR code, the key and the field for the first code. */
export function AuthenticatorKey({
  secret,
  uri,
  client,
  supportPhone,
  onConfirmed,
}: {
  secret: string
  uri: string
  client: Client
  supportPhone: string
  onConfirmed: () => void
}) {
  const { reportError } = useEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const confirm = (code: string) =>
    run((signal) => client(confirmTotp, { body: { code }, signal }), onConfirmed)
  return (
    <Stack>
      <p>
        Scan this code with your authenticator app. If the app is on this device, type the key
        instead.
      </p>
      <div className={styles.code}>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <p className={styles.key}>{inGroups(secret)}</p>
      </div>
      <FailureAlert failure={failure} supportPhone={supportPhone} />
      <CodeForm label="Code from the app" busy={pending} onSubmit={confirm} />
    </Stack>
  )
}

/** Formats a key in groups of four, which makes it easier to type. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ')
}
