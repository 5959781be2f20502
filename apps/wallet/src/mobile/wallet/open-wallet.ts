import type { MobileWalletPage } from '@portico/contracts/mobile-wallet'
import { browserStore } from '@portico/self-custody/browser-store'
import { VAULT_KEY } from '@portico/self-custody/vault-key'
import { chainParts } from '@portico/wallet-kit/chain-parts'
import { type DeviceEnvironment, deviceEnvironment } from '@portico/wallet-kit/device-environment'
import type { DeviceRequests } from '@portico/wallet-kit/device-requests'
import { lazyWallet } from './lazy-wallet.ts'

/** The wallet of this device, with its connections. */
export interface OpenWallet {
  readonly device: DeviceEnvironment
  readonly requests: DeviceRequests
}

const NETWORK_NAMES = { pb: 'Main network', tp: 'Test network' } as const

/** Long enough for the first screen to be drawn. */
const LOAD_LIMIT_MS = 2000

/** Opens the wallet, or shows the welcome screen if this device has no wallet yet. */
export async function openWallet(page: MobileWalletPage, window: Window): Promise<OpenWallet> {
  const store = browserStore('mobile-wallet')
  const load = async () => {
    const { openKeys } = await import('./open-keys.ts')
    return openKeys({ page, store, window })
  }
  const isEmpty = (await store.read(VAULT_KEY)) === undefined
  const { keeper, requests } = isEmpty ? lazyWallet(load) : await load()
  // Meanwhile the user reads what a wallet is.
  if (isEmpty)
    window.setTimeout(() => void import('./open-keys.ts').catch(() => undefined), LOAD_LIMIT_MS)
  const network = NETWORK_NAMES[page.addressPrefix]
  const parts = {
    keeper,
    requests,
    version: page.version,
    network,
    ...chainParts(`${window.location.origin}/chain`, { hasFaucet: page.demonstration }),
  }
  return { device: deviceEnvironment(parts, window), requests }
}
