import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { fakeBrowser, settled } from '../session/testing.ts'
import { WalletConnectService } from '../session/wallet-connect-service.ts'
import { fakePorts } from '../transport/testing.ts'
import { QRCodeModal } from './qr-code-modal.tsx'
import {
  redirectFrom,
  useWalletConnect,
  useWalletState,
  WalletConnectContextProvider,
} from './wallet-connect-context.tsx'

function aService() {
  const { relay, time } = fakePorts()
  const { ports, alive } = fakeBrowser(relay, time).tab()
  return { alive, service: new WalletConnectService({ autostart: false, ports }) }
}

function Status() {
  const { walletConnectState } = useWalletConnect()
  const bridge = useWalletState((state) => state.bridge)
  return <p>{`${walletConnectState.status} ${bridge}`}</p>
}

test('8 a hook outside the provider is a usage error in the words of the public library', () => {
  expect(() => renderToStaticMarkup(<Status />)).toThrow(
    'useWalletConnect must be used within a WalletConnectContextProvider',
  )
  const Selecting = () => useWalletState(({ status }) => status)
  expect(() => renderToStaticMarkup(<Selecting />)).toThrow(
    'useWalletState must be used within a WalletConnectContextProvider',
  )
})

test('server-side rendering shows the initial state and starts nothing', () => {
  const { service, alive } = aService()
  const markup = renderToStaticMarkup(
    <WalletConnectContextProvider service={service}>
      <Status />
      <QRCodeModal walletConnectService={service} />
    </WalletConnectContextProvider>,
  )
  expect(markup).toBe(
    '<p>disconnected wss://page.example/service-wallet-connect-bridge/ws/external</p>',
  )
  expect(alive()).toBe(0)
})

test('unchanged state keeps its identity, so a selector rerenders only for its own changes', async () => {
  const { service } = aService()
  service.start()
  await service.init()
  const before = service.state
  expect(service.state).toBe(before)
  let changes = 0
  service.subscribe(() => {
    changes += 1
  })
  service.setWalletAppId('figure_extension')
  await settled()
  expect(changes).toBe(1)
  expect(service.state).not.toBe(before)
  expect(service.state.modal).toBe(before.modal)
  expect(service.state.attributes).toBe(before.attributes)
  service.stop()
})

test('5 the wallet redirect URL must parse as a URL, be http(s), and lead to another page', () => {
  const here = 'https://page.example/wallet'
  expect(redirectFrom(here, 'https://page.example/start')).toBe('https://page.example/start')
  for (const target of [here, 'start', '', 'javascript:alert(1)', 'data:text/html,x']) {
    expect(redirectFrom(here, target)).toBeUndefined()
  }
})
