/**
 * A page written for the public library by its documentation. The suite runs it with that library and, with
 * only the import replaced, with ours; see support/replaced-import.ts.
 */
import {
  CONNECTION_TYPES,
  type ConnectMethodEventData,
  QRCodeModal,
  useWalletConnect,
  WALLET_LIST,
  WalletConnectContextProvider,
  WalletConnectService,
  WINDOW_MESSAGES,
} from '@provenanceio/walletconnect-js'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'

/** The page's relay, the group it may switch to, and a callback for its events. */
export interface Surroundings {
  readonly bridge: string
  readonly firm: string
  readonly onEvent: (what: string, data?: unknown) => void
}

/** Renders the page; returns a function that unmounts it. */
export function showCheckout(
  container: HTMLElement,
  { bridge, firm, onEvent }: Surroundings,
): () => void {
  const service = new WalletConnectService()
  service.setLogging(false)
  const root = createRoot(container)
  root.render(
    <WalletConnectContextProvider service={service}>
      <Checkout bridge={bridge} firm={firm} onEvent={onEvent} />
    </WalletConnectContextProvider>,
  )
  return () => root.unmount()
}

function Checkout({ bridge, firm, onEvent }: Surroundings) {
  const { walletConnectService, walletConnectState } = useWalletConnect()
  const { address, modal, pendingMethod, representedGroupPolicy, status } = walletConnectState

  useEffect(() => {
    const connected = ({ result }: ConnectMethodEventData) => {
      if (result.connectionType === CONNECTION_TYPES.new_session) onEvent('a new session')
    }
    walletConnectService.addListener(WINDOW_MESSAGES.CONNECTED, connected)
    for (const name of Object.values(WINDOW_MESSAGES)) {
      walletConnectService.addListener(name, (data: unknown) => onEvent(name, data))
    }
    onEvent('listening')
    return () => walletConnectService.removeListener('all')
  }, [walletConnectService, onEvent])

  return (
    <main>
      <p id="status">{status}</p>
      <p id="address">{address}</p>
      <p id="group">{representedGroupPolicy?.address}</p>
      <p id="pending">{pendingMethod}</p>
      <p id="code">{modal.QRCodeUrl}</p>
      <p id="wallets">{WALLET_LIST.map(({ id }) => id).join(' ')}</p>
      <QRCodeModal walletConnectService={walletConnectService} title="Scan the code" />
      <button
        type="button"
        id="connect"
        onClick={() => void walletConnectService.connect({ bridge, duration: 600 })}
      >
        Connect
      </button>
      <button
        type="button"
        id="sign"
        onClick={() => void walletConnectService.signHexMessage('deadbeef', { customId: 'one' })}
      >
        Sign
      </button>
      <button type="button" id="token" onClick={() => void walletConnectService.signJWT(900)}>
        Token
      </button>
      <button
        type="button"
        id="pay"
        onClick={() =>
          void walletConnectService.sendMessage({
            message: 'ChwvY29zbW9zLmJhbmsudjFiZXRhMS5Nc2dTZW5k',
            description: 'Pay',
            method: 'provenance_sendTransaction',
            gasPrice: { gasPrice: 1905, gasPriceDenom: 'nhash' },
          })
        }
      >
        Pay
      </button>
      <button
        type="button"
        id="group-on"
        onClick={() => void walletConnectService.switchToGroup(firm, 'As the firm')}
      >
        As the firm
      </button>
      <button
        type="button"
        id="withdraw"
        onClick={() => void walletConnectService.removePendingMethod('one')}
      >
        Withdraw
      </button>
      <button type="button" id="leave" onClick={() => void walletConnectService.disconnect('Left')}>
        Leave
      </button>
    </main>
  )
}
