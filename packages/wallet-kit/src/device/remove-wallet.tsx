import { useForm } from '@portico/shell/form'
import { useCall } from '@portico/shell/use-call'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { TextField } from '@portico/ui/text-field'
import { useId } from 'react'
import { FailureNotice } from '../failure-notice.tsx'
import { Screen } from '../screen.tsx'
import { useDeviceEnvironment } from './environment.ts'
import styles from './remove-wallet.module.css'

const CONFIRMATION = 'REMOVE'

/** Removes the wallet from this device, after the user has read what is lost and typed a word. */
export function RemoveWallet({
  title,
  reason,
  onBack,
  onRemoved = () => undefined,
}: {
  title: string
  /** Why the user may want to remove it. */
  reason?: string
  onBack: () => void
  /** Needed only where the key keeper's notification is not observed. */
  onRemoved?: (() => void) | undefined
}) {
  const { keeper, requests, reportError } = useDeviceEnvironment()
  const { pending, failure, run } = useCall(reportError)
  const id = useId()
  const { field, submit } = useForm({
    confirmation: ({ confirmation }) =>
      confirmation.trim().toUpperCase() === CONFIRMATION
        ? undefined
        : `Please type ${CONFIRMATION} to confirm.`,
  })

  async function remove() {
    // Best effort: without the wallet the connections cannot be used anyway, and end after a while.
    await Promise.allSettled(requests.sites().map((site) => requests.disconnect(site.id)))
    await keeper.removeVault()
  }

  return (
    <Screen
      title={title}
      actions={
        <>
          <Button kind="secondary" disabled={pending} onClick={onBack}>
            Back
          </Button>
          <Button type="submit" form={id} kind="danger" busy={pending} busyLabel="Removing…">
            Remove wallet
          </Button>
        </>
      }
    >
      {failure && <FailureNotice failure={failure} />}
      {reason && <p>{reason}</p>}
      <Alert tone="warn" title="The following will be removed from this device">
        <ul className={styles.list}>
          <li>the keys of all its accounts</li>
          <li>the record of what you signed</li>
          <li>the connections to all sites</li>
        </ul>
        <p>
          Only your recovery words can bring the accounts back. Without them, everything in the
          accounts is lost, and we cannot restore it.
        </p>
      </Alert>
      <form id={id} method="post" noValidate onSubmit={submit(() => run(remove, onRemoved))}>
        <TextField
          {...field('confirmation')}
          label={`Type ${CONFIRMATION} to confirm`}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      </form>
    </Screen>
  )
}
