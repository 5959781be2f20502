import { ERROR_CATALOGUE } from '@portico/contracts/errors'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import { FailureAlert } from '@portico/shell/failure-alert'
import { Alert } from '@portico/ui/alert'
import { Button } from '@portico/ui/button'
import { LinkButton } from '@portico/ui/link-button'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { TargetWallet } from '../connect/target-wallet.tsx'
import { SelectView } from './select.view.tsx'
import type { Event, State } from './wallet-modal.flow.ts'

export type WalletModalViewProps = {
  state: State
  send: (event: Event) => void
  connected: ConnectedWallet | undefined
  life: string | undefined
  supportPhone: string
  /** The connect or verify screen, which are flows of their own. */
  children: ReactNode
}

/** The title of each status (§2.7). */
export function titleOf(state: State): string {
  switch (state.step) {
    case 'Connect':
      return 'Connect Your Wallet'
    case 'Verify':
      return 'Connect your Wallet'
    case 'Provenance':
      return 'Convert your Provenance Wallet'
    case 'Verification_Error':
      return 'Wallet verification failed'
    case 'Select':
    case 'Success':
    case 'left':
      return 'Choose an Account'
  }
}

/** The wallet modal (§2.7). */
export function WalletModalView({
  state,
  send,
  connected,
  life,
  supportPhone,
  children,
}: WalletModalViewProps) {
  switch (state.step) {
    case 'Select':
      return (
        <SelectView
          state={state}
          send={send}
          connected={connected}
          life={life}
          supportPhone={supportPhone}
        />
      )
    case 'Connect':
    case 'Verify':
      return children
    case 'Provenance':
      return (
        <Stack>
          <Alert tone="warn" title={ERROR_CATALOGUE['wallet-type-not-supported'].message}>
            <p>
              Convert it to continue. Its accounts move to a new wallet, and you do not need to
              install anything.
            </p>
          </Alert>
          <TargetWallet {...state.clicked.account} />
          <Button wide onClick={() => send({ type: 'conversionRequested' })}>
            Continue
          </Button>
          <Back send={send} />
        </Stack>
      )
    case 'Verification_Error':
      return (
        <Stack>
          <FailureAlert failure={state.failure} supportPhone={supportPhone} />
          <p>Nothing was changed. The wallet has been disconnected.</p>
          <Button wide onClick={() => send({ type: 'retried' })}>
            Try again
          </Button>
          <Back send={send} />
        </Stack>
      )
    case 'Success':
    case 'left':
      return null
  }
}

function Back({ send }: { send: (event: Event) => void }) {
  return (
    <p>
      <LinkButton onClick={() => send({ type: 'back' })}>Back to the list of accounts</LinkButton>
    </p>
  )
}
