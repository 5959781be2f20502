import './window.css'
import { openChain } from '@portico/chain-client/chain'
import { httpChainNode } from '@portico/chain-client/http-chain-node'
import { deviceEnvironment } from '@portico/wallet-kit/device-environment'
import { DeviceWallet } from '@portico/wallet-kit/device-screens'
import { groupReader } from '@portico/wallet-kit/group-reader'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { BrowserApi } from '../browser-api.ts'
import { ApprovalWindow } from './approval-window.tsx'
import { remoteWallet } from './remote-wallet.ts'
import { SiteAccess } from './site-access.tsx'
import styles from './window.module.css'

/** The popup of the toolbar's button, or the window that the worker opens for requests. */
export type WindowKind = 'popup' | 'approval'

/** Draws the wallet into the window as soon as the worker has sent its state. */
export function drawWindow(root: Element, kind: WindowKind, api: BrowserApi): void {
  const wallet = remoteWallet(api)
  const { keeper, requests, ready } = wallet
  const { name, homepage_url: lender = '' } = api.runtime.getManifest()
  const chain = openChain(httpChainNode(new URL('chain', lender).href))
  const environment = {
    ...deviceEnvironment(
      {
        keeper,
        requests,
        version: EXTENSION_VERSION,
        network: NETWORK_LABELS[NETWORK],
        groups: groupReader(chain, Date.now),
      },
      window,
    ),
    // The vault is opened in the worker, where the browser offers no passkeys.
    arePasskeysSupported: false,
  }
  const reactRoot = createRoot(root)
  void ready.then(() =>
    reactRoot.render(
      <StrictMode>
        {kind === 'popup' ? (
          <DeviceWallet
            environment={environment}
            brand={
              <div className={styles.brand}>
                {name} <SiteAccess api={api} reportError={environment.reportError} />
              </div>
            }
          />
        ) : (
          <ApprovalWindow wallet={wallet}>
            {(onDone) => <DeviceWallet environment={environment} brand={name} onDone={onDone} />}
          </ApprovalWindow>
        )}
      </StrictMode>,
    ),
  )
}

const NETWORK_LABELS = {
  mainnet: 'Provenance main network',
  testnet: 'Provenance test network',
} as const
