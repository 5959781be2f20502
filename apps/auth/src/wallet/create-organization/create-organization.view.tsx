import { NOTICES } from '@portico/contracts/notices'
import { FailureAlert } from '@portico/shell/failure-alert'
import { WalletBar } from '@portico/shell/wallet-bar'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Spinner } from '@portico/ui/spinner'
import { Stack } from '@portico/ui/stack'
import { TargetWallet } from '../connect/target-wallet.tsx'
import type { Event, Membership, State } from './create-organization.flow.ts'
import styles from './create-organization.module.css'
import { OrganizationForm } from './organization-form.tsx'

export type CreateOrganizationViewProps = {
  state: State
  send: (event: Event) => void
  /** The controlling wallet. */
  walletAddress: string
  /** Returns to the wallet selection. */
  onBack: () => void
  /** The name of the window that shows the wallet's request. */
  walletWindow: string
  supportPhone: string
}

export const TITLES: Readonly<Record<State['step'], string>> = {
  naming: 'Give Your Organization a Name',
  approving: 'Approve in Your Wallet',
  confirming: 'Waiting for the Network',
  created: 'Your Organization Is Ready',
  leaving: 'Your Organization Is Ready',
}

/** The steps of creating an organization (§2.2, §4.8). */
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
            <LinkButton onClick={() => send({ type: 'retried' })}>
              Send the request again
            </LinkButton>
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
          <p>{explanation(state.membership)}</p>
          <Stack gap="inside">
            <Button
              wide
              busy={busy}
              busyLabel="One moment…"
              onClick={() => send({ type: 'actingChosen' })}
            >
              Act for this organization
            </Button>
            <Button
              kind="secondary"
              wide
              disabled={busy}
              onClick={() => send({ type: 'continued' })}
            >
              Continue as yourself
            </Button>
          </Stack>
        </Stack>
      )
    }
  }
}

function explanation({ members, threshold }: Membership): string {
  const account = 'The organization has its own account.'
  if (members.length === 0)
    return `${account} Your wallet is its controlling member and signs for it.`
  return threshold === 1
    ? `${account} Each of its ${members.length + 1} members can sign for it.`
    : `${account} ${threshold} of its ${members.length + 1} members must approve each action.`
}

function Naming({
  state: { name, membership, busy, failure, by },
  send,
  walletAddress,
  onBack,
  supportPhone,
}: CreateOrganizationViewProps & { state: Extract<State, { step: 'naming' }> }) {
  return (
    <OrganizationForm
      name={name}
      membership={membership}
      walletAddress={walletAddress}
      busy={busy}
      failure={failure}
      rejection={by === 'server' ? NOTICES.accountNotSubmitted : undefined}
      onSubmit={(named) => send({ type: 'nameSubmitted', ...named })}
      onBack={onBack}
      supportPhone={supportPhone}
    />
  )
}
