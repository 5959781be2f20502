import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { WalletKind } from '@portico/rules/wallet-app'
import { useEnvironment } from '../../environment.ts'
import { ConnectView } from './connect.view.tsx'
import { ExtensionModal } from './extension-modal.tsx'
import type { TargetWalletProps } from './target-wallet.tsx'
import { useConnect } from './use-connect.ts'
import { useCopy } from './use-copy.ts'
import { useDemonstrationPhone } from './use-demonstration-phone.ts'
import { useWalletDiscovery } from './use-wallet-discovery.ts'

/** `onConnected` is also called if a wallet other than the wanted one connects. */
export type ConnectScreenProps = {
  wanted: Credentials
  walletKind: WalletKind
  target: TargetWalletProps
  onConnected: (wallet: ConnectedWallet) => void
  onBack: () => void
}

/** Connects the wallet of a selected account (§2.7, §4.8); the extension modal opens on top. */
export function ConnectScreen({ target, onBack, ...options }: ConnectScreenProps) {
  const [state, send] = useConnect({ ...options, codeSize: 182 })
  const copy = useCopy()
  const openPhone = useDemonstrationPhone()
  const discovery = useWalletDiscovery()
  const { location } = useEnvironment()
  if (state.step === 'connected') return null
  return (
    <>
      <ConnectView
        state={state}
        send={send}
        target={target}
        hosted={options.walletKind === 'hosted'}
        discovery={discovery}
        hostname={location().hostname}
        onCopy={copy}
        onOpenPhone={openPhone}
        onBack={onBack}
      />
      {state.walletKind === 'extension' && (
        <ExtensionModal
          progress={state.progress}
          target={target}
          onPhone={discovery.onPhone}
          send={send}
          onClose={() => send({ type: 'walletKindChosen', walletKind: options.walletKind })}
        />
      )}
    </>
  )
}
