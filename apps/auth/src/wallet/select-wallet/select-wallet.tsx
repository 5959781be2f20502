import { useFlow } from '@portico/flow/react'
import { redirectTarget } from '@portico/rules/redirect-target'
import { walletKindOf } from '@portico/rules/wallet-app'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import { useEffect } from 'react'
import { useEnvironment } from '../../environment.ts'
import { WalletPanel } from '../connect/wallet-panel.tsx'
import { useConnection } from '../connection/connection-context.tsx'
import { ConnectScreen } from '../lazy-connect-screens.ts'
import { selectWallet } from './select-wallet.flow.ts'
import { selectWalletServices } from './select-wallet.services.ts'
import { SelectWalletView } from './select-wallet.view.tsx'

export type SelectWalletProps = {
  /** The heading, if the surrounding page has none. */
  title?: string
  query: URLSearchParams
  /** The address of a preselected wallet. */
  chosen?: string | undefined
  supportPhone: string
  /** Called instead of continuing to the gatekeeper. */
  onConnected?: (walletAddress: string) => void
}

/** Selects one of the user's own wallets, connects it and continues through the gatekeeper (§4.8). */
export function SelectWallet({
  title,
  query,
  chosen,
  supportPhone,
  onConnected,
}: SelectWalletProps) {
  const environment = useEnvironment()
  const connection = useConnection()
  const redirectUrl = redirectTarget(query.get('redirectUrl'))
  const [state, send] = useFlow(selectWallet, {
    input: { chosen },
    services: selectWalletServices({ ...environment, connection, redirectUrl, onConnected }),
    report: environment.reportError,
  })
  // Preload the next screen while the user looks at the list.
  useEffect(() => {
    ConnectScreen.preload()
    connection.prepare()
  }, [connection])
  const back = () => send({ type: 'back' })
  if (state.step === 'Connect') {
    return (
      <Dialog open title="Connect Your Wallet" width="wide" onClose={back}>
        <ConnectScreen
          wanted={{ walletAddress: state.wallet.address }}
          walletKind={walletKindOf(state.wallet.type)}
          target={{ name: state.wallet.name, address: state.wallet.address }}
          onConnected={(connected) => send({ type: 'connected', connected })}
          onBack={back}
        />
        <WalletPanel />
      </Dialog>
    )
  }
  return (
    <Stack>
      {title && <h1 tabIndex={-1}>{title}</h1>}
      <SelectWalletView
        state={state}
        send={send}
        backTo={redirectUrl}
        supportPhone={supportPhone}
      />
    </Stack>
  )
}
