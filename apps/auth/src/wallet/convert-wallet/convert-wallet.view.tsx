import { FailureAlert } from '@portico/shell/failure-alert'
import { focusHere } from '@portico/shell/form'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { Event, State } from './convert-wallet.flow.ts'
import styles from './convert-wallet.module.css'

export type ConvertWalletViewProps = {
  state: State
  send: (event: Event) => void
  walletAddress: string
  backTo: string
  supportPhone: string
}

/** The conversion page (§2.2), which explains the consequences before the user confirms. */
export function ConvertWalletView({
  state,
  send,
  walletAddress,
  backTo,
  supportPhone,
}: ConvertWalletViewProps) {
  if (state.step !== 'asking') {
    return (
      <Stack>
        <h1 ref={focusHere} tabIndex={-1}>
          Your wallet has been converted
        </h1>
        <p>
          It is now a hosted wallet with the same name and all its accounts. The wallet you had
          before can no longer sign for them.
        </p>
        <p className={styles.old}>
          New address
          <code>{state.address}</code>
        </p>
        <Button
          wide
          busy={state.step === 'left'}
          busyLabel="One moment…"
          onClick={() => send({ type: 'continued' })}
        >
          Continue
        </Button>
      </Stack>
    )
  }
  return (
    <Stack>
      <h1 tabIndex={-1}>Convert your Provenance Wallet</h1>
      <FailureAlert failure={state.failure} supportPhone={supportPhone} />
      <p>
        We will create a new hosted wallet for you and move the accounts of your old wallet to it.
        Your old wallet will no longer be able to sign for them. This cannot be undone.
      </p>
      <p className={styles.old}>
        Old wallet
        <code>{walletAddress}</code>
      </p>
      <Stack gap="inside">
        <Button
          wide
          busy={state.busy}
          busyLabel="Converting…"
          onClick={() => send({ type: 'confirmed' })}
        >
          Convert wallet
        </Button>
        <AnchorButton kind="secondary" wide href={backTo}>
          Not now
        </AnchorButton>
      </Stack>
    </Stack>
  )
}
