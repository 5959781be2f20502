import { FailureAlert } from '@portico/shell/failure-alert'
import { AnchorButton } from '@portico/ui/anchor-button'
import { Button } from '@portico/ui/button'
import { Stack } from '@portico/ui/stack'
import type { Event, State } from './convert-wallet.flow.ts'
import styles from './convert-wallet.module.css'

/** What the conversion's page shows besides its state. */
export type ConvertWalletViewProps = {
  state: State
  send: (event: Event) => void
  walletAddress: string
  backTo: string
  supportPhone: string
}

/** The conversion's page (§2.2): what will happen, before it does. */
export function ConvertWalletView({
  state,
  send,
  walletAddress,
  backTo,
  supportPhone,
}: ConvertWalletViewProps) {
  const busy = state.step === 'converted' || state.busy
  return (
    <Stack>
      <h1 tabIndex={-1}>Convert your Provenance Wallet</h1>
      <FailureAlert
        failure={state.step === 'asking' ? state.failure : undefined}
        supportPhone={supportPhone}
      />
      <p>
        We make a new hosted wallet for you and move the accounts of the old one to it. The old
        wallet no longer signs for them afterwards. This cannot be undone.
      </p>
      <p className={styles.old}>
        Old wallet
        <code>{walletAddress}</code>
      </p>
      <Stack gap="inside">
        <Button
          wide
          busy={busy}
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
