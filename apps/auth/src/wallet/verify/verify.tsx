import { useFlow } from '@portico/flow/react'
import type { Credentials } from '@portico/rules/chosen-credentials'
import { connectionMatch } from '@portico/rules/connection-match'
import { tokenClaims } from '@portico/rules/token-claims'
import { useEnvironment } from '../../environment.ts'
import { ExtensionModal } from '../connect/extension-modal.tsx'
import { HostedNote } from '../connect/hosted-note.tsx'
import { QrModal } from '../connect/qr-modal.tsx'
import type { TargetWalletProps } from '../connect/target-wallet.tsx'
import { type ConnectOptions, useConnect } from '../connect/use-connect.ts'
import { useCopy } from '../connect/use-copy.ts'
import { useDemonstrationPhone } from '../connect/use-demonstration-phone.ts'
import { useWalletDiscovery } from '../connect/use-wallet-discovery.ts'
import { connectedWallet } from '../connection/connected-wallet.ts'
import { useConnection, useConnectionState } from '../connection/connection-context.tsx'
import { type Result, verify } from './verify.flow.ts'
import { verifyServices } from './verify.services.ts'
import { VerifyView } from './verify.view.tsx'

export type VerifyProps = {
  /** The account that must connect; undefined accepts any new wallet. */
  wanted: Credentials | undefined
  /** How the wanted wallet is shown. */
  target: TargetWalletProps | undefined
  onResult: (result: Result) => void
  onBack: () => void
}

/** Verifies a wallet: connect, sign, attach (§2.7, §4.2). */
export function Verify({ wanted, target, onResult, onBack }: VerifyProps) {
  const environment = useEnvironment()
  const connection = useConnection()
  const { signedJWT } = useConnectionState()
  const connected =
    wanted !== undefined && connectionMatch(connectedWallet(connection), wanted) === 'matches'
  const [state, send] = useFlow(verify, {
    input: { wanted, connected },
    services: verifyServices({ ...environment, connection, onResult }),
    report: environment.reportError,
  })
  return (
    <VerifyView
      state={state}
      target={target}
      discovery={useWalletDiscovery()}
      namesSite={tokenClaims(signedJWT).origin !== undefined}
      send={send}
      onBack={onBack}
    >
      {state.step === 'CONNECT_NEW' && state.walletKind !== undefined && (
        <ConnectNew
          key={state.walletKind}
          wanted={wanted}
          target={target}
          walletKind={state.walletKind}
          onConnected={(wallet) => send({ type: 'connected', wallet })}
          onClose={() => send({ type: 'connectClosed' })}
        />
      )}
    </VerifyView>
  )
}

function ConnectNew({
  target,
  onClose,
  ...options
}: Omit<ConnectOptions, 'codeSize'> & {
  target: TargetWalletProps | undefined
  onClose: () => void
}) {
  const [state, send] = useConnect({ ...options, codeSize: 256 })
  const copy = useCopy()
  const openPhone = useDemonstrationPhone()
  const { isMobile } = useConnectionState().modal
  if (state.step === 'connected') return null
  const { progress } = state
  switch (options.walletKind) {
    case 'mobile':
      return (
        <QrModal
          progress={progress}
          target={target}
          onPhone={isMobile}
          send={send}
          onCopy={copy}
          onOpenPhone={openPhone}
          onClose={onClose}
        />
      )
    case 'extension':
      return (
        <ExtensionModal
          progress={progress}
          target={target}
          onPhone={isMobile}
          send={send}
          onClose={onClose}
        />
      )
    case 'hosted':
      return <HostedNote progress={progress} send={send} onClose={onClose} />
  }
}
