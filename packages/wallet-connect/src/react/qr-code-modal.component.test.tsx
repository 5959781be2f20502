import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { WalletConnectConfig } from '../session/config.ts'
import { fakeBrowser } from '../session/testing.ts'
import { WalletConnectService } from '../session/wallet-connect-service.ts'
import { fakePorts } from '../transport/testing.ts'
import { QRCodeModal } from './qr-code-modal.tsx'

const SERVER = 'https://lender.example'
const BRAND = {
  ...DEFAULT_WALLET_BRAND,
  walletName: 'Quince Wallet',
  accountName: 'Quince Account',
  mobileName: 'Quince Mobile',
  extensionUrl: 'https://store.example/quince',
}

let end = () => {}
afterEach(() => end())

/** Opens the dialog of a page with this configuration; the server answers with the brand. */
async function openDialog(
  config: WalletConnectConfig,
  { isMobile = false, hasExtension = false, answer = () => Response.json(BRAND) } = {},
) {
  const { relay, time } = fakePorts()
  const requests: string[] = []
  const tab = fakeBrowser(relay, time).tab()
  const service = new WalletConnectService({
    ...config,
    ports: {
      ...tab.ports,
      href: () => location.href,
      isMobile: () => isMobile,
      hasExtension: () => hasExtension,
      dispatch: (event, detail) => void document.dispatchEvent(new CustomEvent(event, { detail })),
      fetch: async (url) => {
        requests.push(url instanceof Request ? url.url : url.toString())
        return answer()
      },
    },
  })
  end = service.stop
  await render(<QRCodeModal walletConnectService={service} />)
  return { relay, time, requests, service, logged: tab.logged }
}

const dialog = page.getByRole('dialog')
const buttons = () =>
  dialog
    .getByRole('button')
    .elements()
    .map(({ textContent }) => textContent)

test('on a page of another origin the relay, the names and the links are the server’s, and nothing is offered that cannot work', async () => {
  const { relay, requests, service } = await openDialog({ server: `${SERVER}/auth/login` })
  await service.init()
  await expect
    .element(dialog.getByRole('heading'))
    .toHaveTextContent('Scan the QR Code with your Quince Mobile')
  expect(relay.urls[0]).toContain('wss://lender.example/service-wallet-connect-bridge/ws/external')
  expect(requests).toEqual([`${SERVER}/service-wallet-connect-bridge/wallets`])
  // Without the hosted wallet, which only pages of the server's own origin may frame.
  expect(buttons()).toEqual(['Copy QR Code', 'Quince Wallet extension', 'Close'])
  expect(service.offeredWallets[0]?.walletUrls?.['chrome']).toBe(BRAND.extensionUrl)
})

test('on a phone, the mobile wallet opens on the server', async () => {
  const { service } = await openDialog({ server: SERVER }, { isMobile: true })
  await service.init()
  await expect.poll(buttons).toEqual(['Copy QR Code', 'Quince Mobile', 'Close'])
  const [mobile] = service.offeredWallets.filter(({ id }) => id === 'figure_mobile')
  expect(mobile?.generateUrl?.('wc')).toMatch(`${SERVER}/mobile-wallet?link=`)
})

test('without the server’s names, only an installed extension is offered, under a general name', async () => {
  const answer = () => new Response('', { status: 404 })
  const { logged, service } = await openDialog({ server: SERVER }, { answer, hasExtension: true })
  await service.init()
  await expect.poll(buttons).toEqual(['Copy QR Code', 'Browser extension', 'Close'])
  expect(logged.join()).toContain('is "server" the URL of a Portico installation?')
})

test('an unreachable relay is reported in place of the code, and the code appears when it is back', async () => {
  const { relay, time, service, logged } = await openDialog({ server: SERVER })
  relay.down()
  await service.init()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent(
      'We could not reach the wallet service. Check your connection. We keep trying, and the code will appear here.',
    )
  expect(dialog.getByRole('img').elements()).toEqual([])
  expect(buttons()).toEqual(['Close'])
  expect(service.state.relayStatus).toBe('unreachable')
  expect(logged.join()).toContain('The page sets it with "server"')
  relay.up()
  time.pass(2000)
  await expect.element(dialog.getByRole('img')).toBeVisible()
  expect(service.state.relayStatus).toBe('open')
})

test('on the server’s own origin the hosted wallet opens in place of the dialog, which would cover it', async () => {
  const { service } = await openDialog({})
  await service.init()
  await dialog.getByRole('button', { name: 'Quince Account' }).click()
  const frame = await vi.waitUntil(() =>
    document.querySelector<HTMLIFrameElement>('#figure-wallet-hosted > iframe'),
  )
  expect(new URL(frame.src).pathname).toBe('/figure-wallet')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(service.state).toMatchObject({ status: 'pending', walletAppId: 'figure_hosted' })
})

test('a server that is not a URL is a usage error', () => {
  expect(() => new WalletConnectService({ autostart: false, server: 'lender' })).toThrow(
    '"server" must be the URL of the installation, such as https://lender.example, not lender',
  )
})
