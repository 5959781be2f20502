// A page that counts renders of its components under React's double mount in development.
import {
  QRCodeModal,
  useWalletConnect,
  useWalletState,
  WalletConnectContextProvider,
  WalletConnectService,
  type WCSState,
} from '@portico/wallet-connect/react'
import { Profiler, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const renders: Record<string, number> = {}
const query = new URLSearchParams(location.search)
const server = query.get('server')
const leaveTo = query.get('leaveTo')
const service = new WalletConnectService({
  autostart: false,
  ...(server === null ? {} : { server }),
})

function count(name: string): void {
  renders[name] = (renders[name] ?? 0) + 1
}

function Part({ name, select }: { name: string; select: (state: WCSState) => string }) {
  return <output aria-label={name}>{useWalletState(select)}</output>
}

function Connect() {
  const { walletConnectService, walletConnectState } = useWalletConnect()
  useEffect(() => count('mounts'), [])
  return (
    <>
      <button type="button" onClick={() => void walletConnectService.init()}>
        Connect
      </button>
      <button type="button" onClick={() => walletConnectService.resetConnectionTimeout(60)}>
        Prolong
      </button>
      <output aria-label="uri">{walletConnectState.modal.QRCodeUrl}</output>
      <QRCodeModal walletConnectService={walletConnectService} />
    </>
  )
}

function counted(name: string, select: (state: WCSState) => string) {
  return (
    <Profiler id={name} onRender={() => count(name)}>
      <Part name={name} select={select} />
    </Profiler>
  )
}

Reflect.set(window, 'renders', renders)
const root = document.getElementById('root')
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <WalletConnectContextProvider
        service={service}
        {...(leaveTo === null ? {} : { connectionRedirect: leaveTo })}
      >
        {counted('status', ({ status }) => status)}
        {counted('address', ({ address }) => address)}
        {counted('expiry', ({ connectionEXP }) => String(connectionEXP))}
        <Connect />
      </WalletConnectContextProvider>
    </StrictMode>,
  )
}
