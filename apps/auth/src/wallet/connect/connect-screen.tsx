import type { Credentials } from '@portico/rules/chosen-credentials'
import type { ConnectedWallet } from '@portico/rules/connection-match'
import type { WalletWay } from '@portico/rules/wallet-app'
import { ConnectView } from './connect.view.tsx'
import { ExtensionModal } from './extension-modal.tsx'
import { useConnect } from './use-connect.ts'
import { useCopy } from './use-copy.ts'

/** What the Connect screen takes; it hands back who connected. */
export type ConnectScreenProps = {
  wanted: Credentials
  way: WalletWay
  account: { name: string; address: string } | undefined
  onConnected: (wallet: ConnectedWallet) => void
  onBack: () => void
}

/** Connects the wallet of a chosen account (§2.7, §4.8), with the extension's modal over it. */
export function ConnectScreen({ account, onBack, ...options }: ConnectScreenProps) {
  const [state, send] = useConnect(options)
  const copy = useCopy()
  if (state.step === 'connected') return null
  return (
    <>
      <ConnectView
        state={state}
        send={send}
        account={account}
        hosted={options.way === 'hosted'}
        onCopy={copy}
        onBack={onBack}
      />
      {state.way === 'extension' && (
        <ExtensionModal
          progress={state.progress}
          send={send}
          onClose={() => send({ type: 'wayChosen', way: options.way })}
        />
      )}
    </>
  )
}
