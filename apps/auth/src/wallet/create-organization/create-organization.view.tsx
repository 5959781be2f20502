import { NOTICES } from '@portico/contracts/errors'
import { FailureAlert } from '@portico/shell/failure-alert'
import { WalletBar } from '@portico/shell/wallet-bar'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Spinner } from '@portico/ui/spinner'
import { Stack } from '@portico/ui/stack'
import { AccountNameForm } from '../account-name-form/account-name-form.tsx'
import { TargetWallet } from '../connect/target-wallet.tsx'
import type { Event, State } from './create-organization.flow.ts'
import styles from './create-organization.module.css'

/** What the creation shows besides its state. */
export type CreateOrganizationViewProps = {
  state: State
  send: (event: Event) => void
  /** Leaves for the choice of a wallet. */
  onBack: () => void
  /** Where the wallet's question appears, in words. */
  walletWindow: string
  supportPhone: string
}

/** The dialog's title at each step. */
export const TITLES: Readonly<Record<State['step'], string>> = {
  naming: 'Give Your Organization a Name',
  approving: 'Approve in Your Wallet',
  confirming: 'Waiting for the Network',
  created: 'Your Organization Is Ready',
  leaving: 'Your Organization Is Ready',
}

/** Creating an organization, step by step (§2.2, §4.8). */
export function CreateOrganizationView(props: CreateOrganizationViewProps) {
  const { state, send, walletWindow, supportPhone } = props
  switch (state.step) {
    case 'naming':
      return <Naming {...props} state={state} />
    case 'approving':
      return (
        <Stack>
          <TargetWallet name={state.organization.name} />
          <p role="status">
            Awaiting signature in <strong>{walletWindow}</strong>
          </p>
          <p>Your wallet shows the transaction that creates the organization. Approve it there.</p>
          <div className={styles.links}>
            <LinkButton onClick={() => send({ type: 'retried' })}>Ask again</LinkButton>
            <LinkButton onClick={() => send({ type: 'back' })}>Change the name</LinkButton>
          </div>
          <WalletBar onCancel={() => send({ type: 'back' })}>
            Awaiting signature in <strong>{walletWindow}</strong>
          </WalletBar>
        </Stack>
      )
    case 'confirming':
      return (
        <Stack>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <TargetWallet name={state.organization.name} />
          {state.failure === undefined ? (
            <Spinner label="The network is creating your organization…" />
          ) : (
            <Button wide onClick={() => send({ type: 'retried' })}>
              Try again
            </Button>
          )}
        </Stack>
      )
    case 'created':
    case 'leaving': {
      const { account } = state
      const busy = state.step === 'leaving' || state.acting
      return (
        <Stack>
          {state.step === 'created' && (
            <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          )}
          <TargetWallet {...account} />
          <p>
            It has an account of its own. Your wallet is its controlling member and signs for it.
          </p>
          <Stack gap="inside">
            <Button
              wide
              busy={busy}
              busyLabel="One moment…"
              onClick={() => send({ type: 'actingChosen' })}
            >
              Act for this organization
            </Button>
            <Button kind="secondary" wide disabled={busy} onClick={() => send({ type: 'wentOn' })}>
              Go on as yourself
            </Button>
          </Stack>
        </Stack>
      )
    }
  }
}

function Naming({
  state: { name, busy, failure, by },
  send,
  onBack,
  supportPhone,
}: CreateOrganizationViewProps & { state: Extract<State, { step: 'naming' }> }) {
  return (
    <AccountNameForm
      name={name}
      hint="It is written to the network, where everybody can read it."
      busy={busy}
      failure={failure}
      refused={by === 'server' ? NOTICES.accountNotSubmitted : undefined}
      onName={(given) => send({ type: 'nameGiven', name: given })}
      onBack={onBack}
      supportPhone={supportPhone}
    />
  )
}
