import './window.css'
import { chainParts } from '@portico/wallet-kit/chain-parts'
import { DeviceEnvironmentContext, deviceEnvironment } from '@portico/wallet-kit/device-environment'
import { DeviceWallet } from '@portico/wallet-kit/device-screens'
import { WalletFrame } from '@portico/wallet-kit/wallet-frame'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { BrowserApi } from '../browser-api.ts'
import { ApprovalWindow } from './approval-window.tsx'
import { reloadEmptyStyles } from './reload-empty-styles.ts'
import { remoteWallet } from './remote-wallet.ts'
import { SetupInTab } from './setup-in-tab.tsx'
import { SiteAccess } from './site-access.tsx'
import styles from './window.module.css'

/** The popup of the toolbar's button, the same page in a tab, or the window that the worker opens for requests. */
export type WindowKind = 'popup' | 'tab' | 'approval'

/** Draws the wallet into the window as soon as the worker has sent its state. */
export function drawWindow(root: Element, kind: WindowKind, api: BrowserApi): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    reloadEmptyStyles(link)
  }
  const wallet = remoteWallet(api)
  const { keeper, requests, ready } = wallet
  const { name, homepage_url: lender = '' } = api.runtime.getManifest()
  const chainUrl = new URL('chain', lender)
  const environment = {
    ...deviceEnvironment(
      {
        keeper,
        requests,
        version: EXTENSION_VERSION,
        network: NETWORK_LABELS[NETWORK],
        ...chainParts(chainUrl.href, { hasFaucet: LOOPBACK.includes(chainUrl.hostname) }),
      },
      window,
    ),
    // The vault is opened in the worker, where the browser offers no passkeys.
    arePasskeysSupported: false,
  }
  const { reportError } = environment
  const framed = (content: ReactNode) => (
    <DeviceEnvironmentContext value={environment}>
      <WalletFrame brand={name}>{content}</WalletFrame>
    </DeviceEnvironmentContext>
  )
  const approval = (
    <ApprovalWindow wallet={wallet} framed={framed}>
      {(onDone) => <DeviceWallet environment={environment} brand={name} onDone={onDone} />}
    </ApprovalWindow>
  )
  const popup = (
    <DeviceWallet
      environment={environment}
      brand={
        <div className={styles.brand}>
          {name} <SiteAccess api={api} reportError={reportError} />
        </div>
      }
    />
  )
  const openTab = () => {
    const url = api.runtime.getURL(`popup.html${IN_TAB}`)
    // The popup closes itself when the tab takes its focus.
    api.tabs.create({ url }).catch(reportError)
  }
  const contents = {
    approval,
    tab: popup,
    popup: (
      <SetupInTab keeper={keeper} framed={framed} onOpen={openTab} reportError={reportError}>
        {popup}
      </SetupInTab>
    ),
  }
  const reactRoot = createRoot(root)
  void ready.then(() => reactRoot.render(<StrictMode>{contents[kind]}</StrictMode>))
}

/** The fragment of the popup's page in a tab. */
export const IN_TAB = '#tab'

/** Where a demonstration runs; only its chain has a faucet. */
const LOOPBACK = ['localhost', '127.0.0.1']

const NETWORK_LABELS = {
  mainnet: 'Main network',
  testnet: 'Test network',
} as const
