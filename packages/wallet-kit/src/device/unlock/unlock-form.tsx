import { Refusal } from '@portico/contracts/errors'
import { focusHere, useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { PasswordField } from '@portico/ui/password-field'
import { Stack } from '@portico/ui/stack'
import { useState, useSyncExternalStore } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import { useDeviceEnvironment } from '../environment.ts'

const SECOND_MS = 1000

/** Unlocks the vault by passphrase or passkey. The key keeper notifies when it is unlocked. */
export function UnlockForm({
  vault,
  isFocused = false,
  onDamaged,
}: {
  vault: { readonly hasPasskey: boolean; readonly retryAt: number | null }
  /** Whether the passphrase can be typed at once. */
  isFocused?: boolean
  /** The passphrase was correct, but the content of the vault cannot be read. */
  onDamaged?: () => void
}) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const [method, setMethod] = useState<'passphrase' | 'passkey'>('passphrase')
  const [retryAt, setRetryAt] = useState(vault.retryAt)
  const waitS = useSecondsUntil(Math.max(retryAt ?? 0, vault.retryAt ?? 0))
  const { field, submit } = useForm({
    passphrase: ({ passphrase }) =>
      passphrase === '' ? 'Please enter your passphrase.' : undefined,
  })
  const { error, ...passphrase } = field('passphrase')
  const isWrong = failure?.reason === 'passphrase-wrong'

  function unlock(secret: Parameters<typeof keeper.unlock>[0]) {
    setMethod(secret === 'passkey' ? 'passkey' : 'passphrase')
    run(
      async () => {
        try {
          await keeper.unlock(secret)
        } catch (refusal) {
          const now = await keeper.vault()
          if (now.step === 'locked') setRetryAt(now.retryAt)
          if (refusal instanceof Refusal && refusal.code === 'vault-damaged') onDamaged?.()
          throw refusal
        }
      },
      () => undefined,
    )
  }

  return (
    <Stack gap="fields">
      {waitS > 0 ? (
        <Alert tone="warn">
          <p>
            Too many wrong passphrases. You can try again in{' '}
            <span role="timer">{formatWait(waitS)}</span>.
          </p>
        </Alert>
      ) : (
        failure &&
        !isWrong &&
        failure.reason !== 'too-many-attempts' && <FailureNotice failure={failure} />
      )}
      <form
        method="post"
        noValidate
        onSubmit={submit((values) => unlock({ passphrase: values.passphrase }))}
      >
        <Stack gap="fields">
          <PasswordField
            {...passphrase}
            label="Passphrase"
            subject="passphrase"
            ref={isFocused ? focusHere : undefined}
            autoComplete="current-password"
            error={error ?? (isWrong && waitS === 0 ? failure.notices[0] : undefined)}
          />
          <Button
            type="submit"
            wide
            disabled={waitS > 0}
            busy={pending && method === 'passphrase'}
            busyLabel="Unlocking…"
          >
            Unlock
          </Button>
          {vault.hasPasskey && (
            <Button
              wide
              kind="secondary"
              busy={pending && method === 'passkey'}
              busyLabel="Waiting for your passkey…"
              onClick={() => unlock('passkey')}
            >
              Use your passkey
            </Button>
          )}
        </Stack>
      </form>
    </Stack>
  )
}

/** The seconds until a time, counted down. */
function useSecondsUntil(until: number): number {
  const { clock } = useDeviceEnvironment()
  return useSyncExternalStore(
    everySecond,
    () => Math.max(0, Math.ceil((until - clock()) / SECOND_MS)),
    () => 0,
  )
}

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, SECOND_MS)
  return () => clearInterval(timer)
}

/** '1:05', or '45 seconds' below a minute. */
function formatWait(seconds: number): string {
  if (seconds < 60) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} minutes`
}
