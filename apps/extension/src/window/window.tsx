import type { VaultState } from '@portico/wallet-kit/device-wallet'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { BrowserApi } from '../browser-api.ts'
import { type RemoteWallet, remoteWallet } from './remote-wallet.ts'

/** Draws the wallet in the popup or in the approval window. */
export function drawWindow(root: Element, api: BrowserApi): void {
  createRoot(root).render(
    <StrictMode>
      <WalletWindow wallet={remoteWallet(api)} />
    </StrictMode>,
  )
}

function WalletWindow({ wallet }: { wallet: RemoteWallet }) {
  const [vault, setVault] = useState<VaultState>()
  useEffect(() => {
    void wallet.ready.then(() => wallet.keeper.vault()).then(setVault)
  }, [wallet])
  return <main data-vault={vault?.step}>Portico Wallet</main>
}
