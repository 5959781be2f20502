import { useCall } from '@portico/shell/use-call'
import { Button } from '@portico/ui/button'
import { useId } from 'react'
import { FailureNotice } from '../../failure-notice.tsx'
import { Screen } from '../../screen.tsx'
import { useDeviceEnvironment } from '../environment.ts'
import { PassphraseForm } from './passphrase-form.tsx'

/** Adds a passkey that unlocks the wallet, or removes it. */
export function PasskeySetting({
  hasPasskey,
  onDone,
}: {
  hasPasskey: boolean
  onDone: () => void
}) {
  const { keeper, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const id = useId()
  const back = (
    <Button kind="secondary" disabled={pending} onClick={onDone}>
      Back
    </Button>
  )
  if (hasPasskey) {
    return (
      <Screen
        title="Passkey"
        actions={
          <>
            {back}
            <Button
              kind="danger"
              busy={pending}
              busyLabel="Removing…"
              onClick={() => run(() => keeper.removePasskey(), onDone)}
            >
              Remove passkey
            </Button>
          </>
        }
      >
        {failure && <FailureNotice failure={failure} />}
        <p>
          A passkey unlocks this wallet, with your fingerprint, face or device PIN. Your passphrase
          works too.
        </p>
        <p>
          After you remove it, only the passphrase unlocks the wallet. You can also delete the
          passkey in the settings of your device.
        </p>
      </Screen>
    )
  }
  return (
    <Screen
      title="Add a passkey"
      actions={
        <>
          {back}
          <Button type="submit" form={id} busy={pending} busyLabel="Waiting…">
            Add passkey
          </Button>
        </>
      }
    >
      <p>
        Unlock the wallet with your fingerprint, face or device PIN. Your passphrase keeps working,
        so do not forget it.
      </p>
      <PassphraseForm
        id={id}
        failure={failure}
        onSubmit={(passphrase) => run(() => keeper.addPasskey(passphrase), onDone)}
      />
    </Screen>
  )
}
