import type { Client } from '@portico/client/client'
import { beginTotp, confirmTotp } from '@portico/contracts/account-security'
import { FailureAlert } from '@portico/shell/failure-alert'
import { useCall } from '@portico/shell/use-call'
import { Skeleton } from '@portico/ui/skeleton'
import { Stack } from '@portico/ui/stack'
import { qrPath } from '@portico/wallet-connect/qr-path'
import { encode } from 'uqr'
import { type AccountChangeProps, LoadedChange } from '../change/change.tsx'
import { CodeForm } from '../code-form/code-form.tsx'
import { useEnvironment } from '../environment.ts'
import styles from './authenticator.module.css'

/** The quiet zone around the code: scanners need four modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

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

/** A QR code, black on white in both color schemes because not every scanner reads inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={qrPath(data)} />
    </svg>
  )
}
