import { useFlow } from '@portico/flow/react'
import { type AccountChoice, signerText } from '@portico/rules/account-sections'
import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import { selectedCredentials } from '@portico/rules/token-claims'
import { walletKindOf } from '@portico/rules/wallet-app'
import type { WalletOpening } from '@portico/rules/wallet-opening'
import { Dialog } from '@portico/ui/dialog'
import { useEffect, useEffectEvent } from 'react'
import { useEnvironment } from '../../environment.ts'
import type { TargetWalletProps } from '../connect/target-wallet.tsx'
import { WalletPanel } from '../connect/wallet-panel.tsx'
import { connectedWallet } from '../connection/connected-wallet.ts'
import { useConnection, useConnectionState } from '../connection/connection-context.tsx'
import { useConnectionLife } from '../connection/use-connection-life.ts'
import { ConnectScreen, Verify } from '../lazy-connect-screens.ts'
import {
  openingOf,
  type Result,
  type State,
  statusOf,
  walletModal,
  wantedToVerify,
} from './wallet-modal.flow.ts'
import { walletModalServices } from './wallet-modal.services.ts'
import { TITLES, WalletModalView } from './wallet-modal.view.tsx'

export type WalletModalProps = {
  opening: WalletOpening
  supportPhone: string
  /** Called with the position to restore after a reload. */
  onMoved: (opening: WalletOpening) => void
  onResult: (result: Result) => void
}

/** The wallet modal (§2.7, §4.2). */
export function WalletModal({ opening, supportPhone, onMoved, onResult }: WalletModalProps) {
  const environment = useEnvironment()
  const connection = useConnection()
  const [state, send] = useFlow(walletModal, {
    input: opening,
    services: walletModalServices({ ...environment, connection, onResult }),
    report: environment.reportError,
  })
  // Preload the next screens while the user looks at the list.
  useEffect(() => {
    ConnectScreen.preload()
    Verify.preload()
    connection.prepare()
  }, [connection])
  const connected = connectedWallet({ state: useConnectionState() })
  const life = useConnectionLife()
  const toVerify = state.step === 'Verify' ? wantedToVerify(state) : undefined
  const back = () => send({ type: 'back' })
  const status = statusOf(state)
  const moved = useEffectEvent(() => onMoved(openingOf(state)))
  useEffect(() => moved(), [state.step])
  return (
    <Dialog
      open={status !== 'left' && status !== 'Success'}
      title={TITLES[status]}
      width={status === 'Connect' ? 'wide' : 'standard'}
      onClose={() => send({ type: 'closed' })}
    >
      {/* The clicked button is gone, so focus moves to the new status. */}
      <div key={status} ref={focusFromTop} role="group" aria-label={TITLES[status]} tabIndex={-1}>
        <WalletModalView
          state={state}
          send={send}
          connected={connected}
          life={life}
          supportPhone={supportPhone}
        >
          {state.step === 'Connect' && (
            <Connecting
              state={state}
              onConnected={(wallet) =>
                send({
                  type: 'connected',
                  wallet,
                  selected: selectedCredentials(environment.jwt.read()),
                })
              }
              onBack={back}
            />
          )}
          {state.step === 'Verify' && (
            <Verify
              wanted={toVerify && { walletAddress: toVerify.address }}
              target={toVerify && { name: toVerify.name, address: toVerify.address }}
              onResult={(result) => send({ type: 'verification', result })}
              onBack={back}
            />
          )}
        </WalletModalView>
      </div>
      <WalletPanel />
    </Dialog>
  )
}

/** Focuses the step and scrolls the sheet to its top; focus alone would scroll the sheet's margin out of view. */
function focusFromTop(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
  element?.closest('[data-part="dialog"]')?.scrollTo(0, 0)
}

/** The account that must connect; for an account not in the list only the address is known. */
function targetOf(known: AccountChoice | undefined, chosen: Credentials): TargetWalletProps {
  if (known === undefined) {
    return { name: 'Wallet to connect', address: chosen.groupPolicyAddress ?? chosen.walletAddress }
  }
  const isOwner = known.wallet.authorizationType === 'Owner'
  return { ...known.account, ...(isOwner ? {} : { signing: signerText(known) }) }
}

function Connecting({
  state: { choice, chosen },
  onConnected,
  onBack,
}: {
  state: Extract<State, { step: 'Connect' }>
  onConnected: (wallet: ConnectedWallet) => void
  onBack: () => void
}) {
  const known = choice === 'unknown' ? undefined : choice
  return (
    <ConnectScreen
      wanted={chosen}
      walletKind={walletKindOf(known?.wallet.type)}
      target={targetOf(known, chosen)}
      onConnected={onConnected}
      onBack={onBack}
    />
  )
}
